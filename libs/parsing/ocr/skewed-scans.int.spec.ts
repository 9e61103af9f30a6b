import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readImage } from '../image/read-image'
import { drawn } from '../spec/scans'
import { unpackLanguages } from './language-data'
import type { OcrData } from './recognise'

const sentences = [
  'The Lindale plant replenished 412 million litres of water in 2023. It did so in March and June, and the board',
  'was told about it in the spring. The Orrin plant did not take part in the programme that year, for its old',
  'pumps were being replaced. Every plant reports its figures in writing, and each report is read by two people',
]
const lines = Array.from({ length: 40 }, (_, at) => sentences[at % sentences.length] ?? '')
const sheet = { put: lines.map((text, at) => ({ text, x: 60, y: 80 + at * 11, size: 9 })) }

/** Returns the number of insertions, deletions and substitutions, divided by the number of expected characters. */
const characterErrors = (want: string, got: string): number => {
  let above = Array.from({ length: got.length + 1 }, (_, at) => at)
  for (let i = 1; i <= want.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= got.length; j += 1) {
      const swap = (above[j - 1] ?? 0) + (want[i - 1] === got[j - 1] ? 0 : 1)
      row.push(Math.min(swap, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    above = row
  }
  return (above[got.length] ?? 0) / want.length
}

let folder: string
let data: OcrData
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skewed-'))
  data = await unpackLanguages(folder, ['eng'])
})
afterAll(() => rm(folder, { recursive: true }))

const errorsAt = async (degrees: number, dotsAnInch = 150): Promise<{ errors: number; said: string }> => {
  const picture = await (await drawn(sheet, dotsAnInch)).rotate(degrees, { background: 'white' }).png().toBuffer()
  const { parts, warnings } = await readImage(picture, { name: 'a.png', ocr: { ...data, next: () => true } })
  const text = parts.map((part) => part.text).join(' ')
  return { errors: characterErrors(lines.join(' '), text.replace(/\s+/g, ' ')), said: warnings?.[0]?.words ?? '' }
}

describe('scans that are not straight', { timeout: 120_000 }, () => {
  it('are read with hardly more wrong characters than straight ones', async () => {
    const [straight, turned] = [await errorsAt(0), await errorsAt(2)]
    expect(straight.errors).toBeLessThan(0.01)
    expect(turned.errors).toBeLessThan(0.02)
    expect(turned.said).toContain('was read from a picture by OCR')
  })

  it('are named where Tesseract was unsure of what it read', async () => {
    expect((await errorsAt(0, 70)).said).toContain('OCR was unsure of many letters of page 1')
  })
})
