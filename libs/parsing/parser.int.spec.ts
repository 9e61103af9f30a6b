import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Unfit, type DocumentParser, type SourceFile } from '@plumbline/ports/document-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openParser } from './index'
import { bombs, burdens } from './spec/bombs'
import { pptxOf } from './spec/sample-office'
import { throwBombs } from './spec/throw-bombs'
import { drawing, writePdf } from './spec/written-pdf'

const never = new AbortController().signal
const scan = bombs.find(({ name }) => name === 'picture.png')

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'parser-'))))
afterAll(() => rm(folder, { recursive: true }))

const file = async (name: string, content: string | Buffer): Promise<SourceFile> => {
  const path = join(folder, name)
  await writeFile(path, content)
  return { path, name }
}
const withParser = async (
  options: Parameters<typeof openParser>[0],
  work: (parser: DocumentParser) => Promise<void>,
): Promise<void> => {
  const parser = openParser(options)
  try {
    await work(parser)
  } finally {
    await parser.close()
  }
}

/** Returns the name of the file as the text of a scan. */
const docling: DocumentParser = {
  parse: async ({ name }) => ({ markup: 'markdown', parts: [{ page: 1, text: `scan of ${name}` }] }),
}

describe('openParser', () => {
  it('reads a file by what it is', () =>
    withParser({}, async (parser) => {
      const { markup, parts } = await parser.parse(await file('a.csv', 'place,pue\nTaiwan,1.12\n'), never)
      expect(markup).toBe('markdown')
      expect(parts[0]?.text).toContain('| Taiwan | 1.12 |')
    }))

  it('refuses what is empty, too large or a picture, each in words', () =>
    withParser({ limits: { fileBytes: 1_000 } }, async (parser) => {
      await expect(parser.parse(await file('empty.md', ''), never)).rejects.toMatchObject({ reason: 'no-text' })
      await expect(parser.parse(await file('large.md', 'x'.repeat(1_001)), never)).rejects.toMatchObject({
        reason: 'too-large',
        words: expect.stringContaining('MB') as string,
      })
      await expect(parser.parse(await file('a.png', scan!.make()), never)).rejects.toMatchObject({
        reason: 'no-text',
        words: expect.stringContaining('DOCLING_URL') as string,
      })
    }))

  it('hands to docling what has no text, and nothing else', () =>
    withParser({ docling }, async (parser) => {
      expect((await parser.parse(await file('a.png', scan!.make()), never)).parts[0]?.text).toBe('scan of a.png')
      expect((await parser.parse(await file('a.md', '# Not a scan\n'), never)).parts[0]?.text).toContain('Not a scan')
      await expect(parser.parse(await file('a.pdf', '%PDF-1.7\n1 0 obj'), never)).rejects.toMatchObject({
        reason: 'truncated',
      })
      await expect(parser.parse(await file('empty.md', ''), never)).rejects.toMatchObject({ reason: 'no-text' })
    }))

  it('keeps what could be read where docling refuses, and slides are none of its business', () => {
    const refuses: DocumentParser = { parse: () => Promise.reject(new Unfit('too-slow', 'Too slow.')) }
    const words = { put: [{ text: 'Some words that stand here', x: 72, y: 72 }] }
    return withParser({ docling: refuses }, async (parser) => {
      expect(
        (await parser.parse(await file('half.pdf', Buffer.from(writePdf([words, drawing]))), never)).parts[0],
      ).toEqual({ page: 1, text: 'Some words that stand here', tables: [] })
      expect(
        (
          await parser.parse(
            await file(
              'a.pptx',
              Buffer.from(pptxOf(['<p:sp><p:txBody><a:p><a:r><a:t>words</a:t></a:r></a:p></p:txBody></p:sp>', ''])),
            ),
            never,
          )
        ).notes,
      ).toEqual(['There is no text on slides 2.'])
      await expect(parser.parse(await file('b.png', scan!.make()), never)).rejects.toMatchObject({ reason: 'too-slow' })
    })
  })

  it(
    'takes little memory and time for what is made to take much, and reads a large table in pieces',
    { timeout: 240_000 },
    async () => {
      const names = ['self.pdf', 'quotes.csv', 'attributes.html', 'wide.csv', 'spans.html', 'slide.pptx']
      const [some, large] = [bombs, burdens].map((all) => all.filter(({ name }) => names.includes(name)))
      const thrown = await throwBombs(some, large)
      // The watchdog looks every few ms. On a busy machine it looks later, so the limit here is above 150 MB.
      expect(thrown.bombs.filter(({ refused, readerMb }) => !refused || readerMb > 250)).toEqual([])
      // The attributes are counted before the page is parsed, so the file is rejected before its time is over.
      expect(thrown.bombs.find(({ name }) => name === 'attributes.html')?.ended).toBe('bomb')
      expect(thrown.burdens).toMatchObject([{ name: 'wide.csv', refused: false }])
      expect(thrown.burdens[0]?.readerMb).toBeLessThan(250)
    },
  )

  it('keeps a title short, whatever the file says', () =>
    withParser({}, async (parser) => {
      const { title, parts } = await parser.parse(
        await file('a.html', `<title>${'long '.repeat(1_000)}</title><p>text`),
        never,
      )
      expect([title?.length, parts.length]).toEqual([300, 1])
    }))

  it('says to retry if the file is gone', () =>
    withParser({}, (parser) =>
      expect(parser.parse({ path: join(folder, 'gone'), name: 'a.md' }, never)).rejects.toMatchObject({
        code: 'parser.file',
        retry: 'later',
      }),
    ))

  it('reads no more once it is closed', async () => {
    const parser = openParser()
    await parser.close()
    await expect(parser.parse(await file('b.md', 'x'), never)).rejects.toMatchObject({
      code: 'parser.closed',
      retry: 'later',
    })
  })
})
