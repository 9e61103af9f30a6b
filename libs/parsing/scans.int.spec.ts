import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit, type DocumentParser } from '@plumbline/ports/document-parser'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultLimits, type Limits } from './limits'
import { openParser, unpackLanguages } from './index'
import type { OcrData } from './ocr/recognise'
import { drawn, nameless, photographed, receipt, receiptWords, scanned, unreadable } from './spec/scans'
import { drawing, prose, writePdf, type Sheet } from './spec/written-pdf'

const lines = [
  'The Lindale plant replenished 412 million litres of water in 2023.',
  'The Orrin plant did not take part in the programme that year.',
  'Every plant reports its figures to the board in the spring.',
]
const letter: Sheet = { put: prose(lines, 72, 120) }

let folder: string
let ocr: OcrData
/** The parsers with the usual options, and without OCR. Their processes are reused from one file to the next. */
let usual: ReturnType<typeof openParser>
let withoutOcr: ReturnType<typeof openParser>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'scans-'))
  ocr = await unpackLanguages(join(folder, 'ocr'), ['eng'])
  usual = openParser({ ocr })
  withoutOcr = openParser({})
})
afterAll(async () => {
  await Promise.all([usual.close(), withoutOcr.close()])
  await rm(folder, { recursive: true })
})

type Own = { docling?: DocumentParser; limits?: Partial<Limits>; ocr?: false }
const read = async (name: string, bytes: Uint8Array, own: Own = {}, onPage?: (done: number, of: number) => void) => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  const signal = new AbortController().signal
  const { docling, limits } = own
  if (own.ocr === false) return withoutOcr.parse({ path, name }, signal, onPage)
  if (!docling && !limits) return usual.parse({ path, name }, signal, onPage)
  const parser = openParser({
    ocr,
    ...(docling && { docling }),
    ...(limits && { limits: { ...defaultLimits, ...limits } }),
  })
  try {
    return await parser.parse({ path, name }, signal, onPage)
  } finally {
    await parser.close()
  }
}
const told = ({ parts }: ParsedDocument): string => parts.map(({ text }) => text).join('\n')
const kinds = ({ warnings = [] }: ParsedDocument): [string, number[] | undefined][] =>
  warnings.map(({ kind, pages }) => [kind, pages])

describe('pages that are pictures', { timeout: 120_000 }, () => {
  it('are read by OCR and named, each under its number, beside pages with text', async () => {
    const seen: string[] = []
    const pdf = await scanned([await drawn(letter), await drawn({ put: [] }), unreadable(), await drawn(receipt)])
    const document = await read('scan.pdf', pdf, {}, (done, of) => seen.push(`${done} of ${of}`))
    expect(document.parts[0]?.text).toBe(lines.join(' '))
    expect(document.parts[3]?.text).toContain('HARBOUR GROCERY')
    expect(kinds(document)).toEqual([
      ['no-text', [3]],
      ['ocr', [1, 4]],
    ])
    expect(document.warnings?.[0]?.words).toMatch(/^Page 3 has content, but no readable text\./)
    expect(seen).toEqual(['1 of 4', '3 of 4', '4 of 4', '4 of 4'])
  })

  it.each([90, 180])('are read as they lie: turned by %i degrees', async (degrees) => {
    const picture = sharp(await (await drawn(letter)).rotate(degrees).png().toBuffer())
    expect(told(await read('turned.pdf', await scanned([picture])))).toBe(lines.join(' '))
  })

  it('without OCR are refused, or named where other pages have text', async () => {
    const pdf = await scanned([await drawn(letter)])
    await expect(read('scan.pdf', pdf, { ocr: false })).rejects.toMatchObject({
      reason: 'no-text',
      words: expect.stringContaining('DOCLING_URL') as unknown,
    })
    expect(kinds(await read('half.pdf', writePdf([letter, drawing, { put: [] }]), { ocr: false }))).toEqual([
      ['no-text', [2]],
    ])
  })

  it('that nobody can read are refused with what to do', async () => {
    await expect(read('dim.pdf', await scanned([unreadable()]))).rejects.toMatchObject({
      reason: 'no-text',
      words: expect.stringMatching(/OCR could not read\. .*scan them again/) as unknown,
    })
    await expect(read('blank.pdf', writePdf([{ put: [] }]))).rejects.toMatchObject({
      words: expect.stringContaining('has nothing on its only page') as unknown,
    })
  })

  it('are named where the time for OCR is over', async () => {
    const { warnings } = await read('late.pdf', writePdf([letter, drawing]), { limits: { ocrMs: -1 } })
    expect(warnings).toMatchObject([
      { kind: 'no-text', pages: [2], words: expect.stringContaining('The time for OCR ended') as unknown },
    ])
  })

  it('end with their reader where they take more than a page may', async () => {
    const pdf = await scanned([await drawn(letter)])
    for (const limits of [
      { ocrMemoryMb: 1, memoryMb: 20 },
      { cpuMsPerOcrPage: 1, cpuMs: 1 },
    ])
      await expect(read('hungry.pdf', pdf, { limits })).rejects.toMatchObject({
        reason: expect.stringMatching(/^(?:bomb|too-slow)$/) as unknown,
      })
  })

  it('are read by docling where there is one, and here where it refuses', async () => {
    const pdf = await scanned([await drawn(letter)])
    const better: DocumentParser = {
      parse: () => Promise.resolve({ markup: 'text', parts: [{ text: 'By docling.' }] }),
    }
    expect(told(await read('scan.pdf', pdf, { docling: better }))).toBe('By docling.')
    const refuses: DocumentParser = { parse: () => Promise.reject(new Unfit('too-slow', 'Too slow.')) }
    expect(told(await read('scan.pdf', pdf, { docling: refuses }))).toBe(lines.join(' '))
  })
})

describe('pictures', { timeout: 120_000 }, () => {
  it.each(['png', 'jpeg', 'webp', 'tiff'] as const)('of a receipt, held askew, are read as %s', async (format) => {
    const picture = await (await photographed(await drawn(receipt, 150))).toFormat(format).toBuffer()
    const document = await read(`receipt.${format}`, picture)
    const words = new Set(told(document).split(/[\s|]+/))
    const right = receiptWords.filter((word) => words.has(word))
    expect(right.length / receiptWords.length).toBeGreaterThan(0.85)
    expect(told(document)).toMatch(/\| TOTAL \| 25\.35 \|/)
    expect(kinds(document)).toEqual([['ocr', [1]]])
  })

  it('without a word, cut off, or of too many dots are refused', async () => {
    const plain = await unreadable().png().toBuffer()
    await expect(read('view.png', plain)).rejects.toMatchObject({ reason: 'no-text' })
    await expect(read('cut.png', plain.subarray(0, 2_000))).rejects.toMatchObject({ reason: 'unreadable' })
    const wide = await sharp({ create: { width: 10_000, height: 6_000, channels: 3, background: 'white' } })
      .png()
      .toBuffer()
    await expect(read('wide.png', wide)).rejects.toMatchObject({ reason: 'bomb' })
  })
})

describe('text that is not what the page shows', { timeout: 60_000 }, () => {
  const plain = 'A report of the plants'

  it('is read from the page instead, and named where that cannot be', async () => {
    const document = await read('nameless.pdf', nameless(plain, lines))
    expect(told(document)).toContain(lines[0])
    expect(kinds(document)).toEqual([['ocr', [1]]])
    const without = await read('nameless.pdf', nameless(plain, lines), { ocr: false })
    expect(told(without)).toContain(plain)
    expect(kinds(without)).toEqual([['damaged-text', [1]]])
  })

  it('is named where different texts overlap, once wherever the same one is', async () => {
    const over = prose(['A rebate of 412 euros', 'Prices are net of taxes', 'Delivery to the harbour'], 310, 120)
    const elsewhere = prose([...lines, ...over.map(({ text }) => text)], 72, 320)
    const mixed = writePdf([{ put: [...letter.put, ...elsewhere, ...over] }])
    for (const own of [{}, { ocr: false }] as const)
      expect((await read('mixed.pdf', mixed, own)).warnings).toMatchObject([
        { kind: 'damaged-text', pages: [1], words: expect.stringContaining('different texts overlap') as unknown },
      ])
    const bold = [...letter.put, { text: 'Lindale', x: 93.2, y: 120 }, ...prose(lines, 72.4, 120).slice(1)]
    const document = await read('bold.pdf', writePdf([{ put: bold }]), { ocr: false })
    expect(told(document)).toBe(lines.join(' '))
    expect(document.warnings).toBeUndefined()
  })

  it('is named in every format', async () => {
    const document = await read('accents.md', Buffer.from('# CafÃ©\n\nDÃ©jÃ  vu at the cafÃ© on the Ã®le.\n'))
    expect(kinds(document)).toEqual([['wrong-encoding', undefined]])
    const damaged = await read('damaged.txt', Buffer.from(`Th\ufffd pl\ufffdnt w\ufffds cl\ufffdsed.`))
    expect(kinds(damaged)).toEqual([['damaged-text', undefined]])
  })
})

it('asks for the package of a language whose data is not there', async () => {
  await expect(unpackLanguages(join(folder, 'none'), ['eng', 'tlh'])).rejects.toThrow(
    'npm install @tesseract.js-data/tlh',
  )
})
