import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ParsedDocument } from '@plumbline/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProcessPool } from './child/process-pool'
import { openParser } from './index'
import { defaultLimits } from './limits'

const never = new AbortController().signal
let folder: string
let pool: ReturnType<typeof openProcessPool>
let parser: ReturnType<typeof openParser>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-here-'))
  pool = openProcessPool(defaultLimits)
  parser = openParser()
})
afterAll(async () => {
  await pool.close()
  await parser.close()
  await rm(folder, { recursive: true })
})

type Read = { here: string; elsewhere: string }
const said = (reading: Promise<ParsedDocument>): Promise<string> =>
  reading.then(JSON.stringify, (error: unknown) => String((error as { words?: string }).words))
const read = async (name: string, content: string | Buffer): Promise<Read> => {
  const path = join(folder, name)
  await writeFile(path, content)
  const bytes = Buffer.byteLength(content)
  const file = { path, name }
  return {
    here: await said(parser.parse(file, never)),
    elsewhere: await said(pool.read({ file, bytes, signal: never })),
  }
}

const lines = (line: string): string => `${line}\n`.repeat(Math.floor(60_000 / (line.length + 1)))
const texts: [string, string | Buffer][] = [
  ['plain.md', '# Title\n\nA text with **words**.\n\n## Part\n\n| a | b |\n|---|---|\n| 1 | 2 |\n'],
  ['outer.md', 'a | b\n--- | ---\n1 | 2\n'],
  ['front.md', '---\ntitle: Told\ntags: [a, b]\n---\n\n# Another\n\nText.\n'],
  ['plus.md', '+++\ntitle = "Told"\n+++\n\nText.\n'],
  ['long-front.md', `---\nnote: ${'x'.repeat(3_000)}\n---\nText.\n`],
  ['html.md', '# A\n\n<table><tr><td>1</td></tr></table>\n\n<div>x</div>\n'],
  ['marked.md', '\uFEFF# Title\r\n\r\nText.\r\n'],
  ['pages.txt', 'one\ftwo\f'],
  ['umlauts.txt', 'Über die Größe der Bäume. '.repeat(50)],
  ['wrong.txt', 'Ã¼ber die GrÃ¶Ãe der BÃ¤ume. '.repeat(50)],
  ['latin.txt', Buffer.from('Größe und Länge.', 'latin1')],
  ['empty.md', ' \n'],
  ['binary.txt', Buffer.from([65, 0, 1, 2, 66])],
  ['letter.md', '%PDF-1.7 that is none'],
  ['code.txt', 'const a = 1\n\n\tif (a) return\n'],
]

describe('a short text', () => {
  it.each(texts)('is read the same here and in a process of its own: %s', async (name, content) => {
    const { here, elsewhere } = await read(name, content)
    expect(here).toBe(elsewhere)
  })

  it('needs no other process, and an HTML page does', async () => {
    const { execPath } = process
    process.execPath = join(folder, 'missing')
    const own = openParser()
    try {
      for (const name of ['short.txt', 'short.html']) await writeFile(join(folder, name), '<p>Text.')
      await writeFile(join(folder, 'short.md'), '# Text')
      const parsed = (name: string) => own.parse({ path: join(folder, name), name }, never)
      expect(await parsed('short.md')).toMatchObject({ parts: [{ text: '# Text' }] })
      expect(await parsed('short.txt')).toMatchObject({ parts: [{ text: '<p>Text.' }] })
      await expect(parsed('short.html')).rejects.toMatchObject({ code: 'parser.start' })
    } finally {
      process.execPath = execPath
      await own.close()
    }
  })

  it.each([
    ['|'.repeat(60_000)],
    [lines('|'.repeat(50))],
    [lines('---')],
    [lines('a | b\n--- | ---')],
    ['#'.repeat(60_000)],
    [lines('# [a](')],
    [lines(`# ${'`'.repeat(400)}`)],
    [lines(`# ${'**a'.repeat(200)}`)],
    ['['.repeat(60_000)],
    ['> '.repeat(30_000)],
    [lines('```')],
    [lines('~~~ a')],
    [`---\n${'['.repeat(900)}\n---\na`],
    [`---\n${'- '.repeat(450)}\n---\na`],
    [' '.repeat(60_000) + 'a'],
    ['\t\n'.repeat(30_000) + 'a'],
    ['é'.repeat(30_000)],
    ['\ud83d\ude00'.repeat(15_000)],
  ])('of 60 KB takes no long time, whatever it holds (%#)', async (content) => {
    for (const name of ['hostile.md', 'hostile.txt']) {
      const path = join(folder, name)
      await writeFile(path, content)
      // Other work of this process, such as garbage collection, may fall into one measurement, but not into each.
      let least = Infinity
      for (let tries = 0; tries < 3 && least >= 500; tries += 1) {
        const before = process.cpuUsage()
        await said(parser.parse({ path, name }, never))
        const { user, system } = process.cpuUsage(before)
        least = Math.min(least, (user + system) / 1_000)
      }
      expect(least).toBeLessThan(500)
    }
  })
})
