import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ParsedDocument } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { readMarkdown } from '../markdown'
import type { Reading } from '../reading'
import { readHtml } from './read-html'

const root = process.env['EVAL_DATA'] ?? join(import.meta.dirname, '../../../../../shared/data')
const hasFiles = existsSync(join(root, 'parsers'))
if (!hasFiles) process.stderr.write(`SKIPPED: reading of web pages and Markdown needs ${root}/parsers\n`)

type Reader = (bytes: Uint8Array, reading: Reading) => Promise<ParsedDocument>

const textOf = async (read: Reader, file: string): Promise<string> =>
  (await read(readFileSync(file), { name: file })).parts.map(({ text }) => text).join('\n\n')

/** As it is read: without what Markdown adds, be it the address of a link. */
const plain = (text: string): string =>
  text
    .replace(/<!--.*?-->/g, '')
    .replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/\\([|#*_<>-])/g, '$1')
    .replace(/[*`]/g, '')
const words = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []
const cells = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /^\|.*\|$/.test(line) && !/^\|(?:\s*:?-+:?\s*\|)+$/.test(line))
    .flatMap((line) => line.slice(1, -1).split(/(?<!\\)\|/))
    .map((cell) => plain(cell).replace(/\s+/g, ' ').trim())
    .filter((cell) => cell !== '')

const shared = (wanted: string[], got: string[]): number => {
  const left = new Map<string, number>()
  for (const one of got) left.set(one, (left.get(one) ?? 0) + 1)
  return wanted.filter((one) => {
    const count = left.get(one) ?? 0
    left.set(one, count - 1)
    return count > 0
  }).length
}

const f1 = (wanted: string[], got: string[]): number =>
  (2 * shared(wanted, got)) / Math.max(1, wanted.length + got.length)
const mean = (all: number[]): number => all.reduce((sum, one) => sum + one, 0) / all.length

const measured = async (read: Reader, folder: string) => {
  const files = readdirSync(join(root, 'parsers', folder)).filter((file) => !file.endsWith('.expected.md'))
  return Promise.all(
    files.map(async (file) => {
      const path = join(root, 'parsers', folder, file)
      const [got, wanted] = [await textOf(read, path), readFileSync(`${path}.expected.md`, 'utf8')]
      const tables = cells(wanted).length > 0 ? f1(cells(wanted), cells(got)) : null
      return {
        navigates: readFileSync(path, 'utf8').includes('<nav'),
        recall: shared(words(wanted), words(got)) / words(wanted).length,
        tables,
      }
    }),
  )
}

describe.skipIf(!hasFiles)('files with a known reading', () => {
  it.each([
    ['html', readHtml],
    ['md', readMarkdown],
  ] as const)('%s: words and cells are there', { timeout: 60_000 }, async (folder, read) => {
    const all = await measured(read, folder)
    const tables = all.flatMap((one) => (one.tables === null ? [] : [one.tables]))
    process.stdout.write(
      `${folder}: words ${mean(all.map(({ recall }) => recall)).toFixed(3)}, cells ${mean(tables).toFixed(3)}\n`,
    )
    expect(mean(all.map(({ recall }) => recall))).toBeGreaterThanOrEqual(0.98)
    expect(mean(tables)).toBeGreaterThanOrEqual(0.95)
    // A web page loses its navigation, which the known reading has.
    expect(Math.min(...all.map(({ recall, navigates }) => (navigates ? 1 : recall)))).toBeGreaterThan(0.95)
  })

  it('a document reads the same as HTML and as Markdown', { timeout: 60_000 }, async () => {
    const docs = join(root, 'table_qa/docs')
    const names = readdirSync(docs).filter(
      (file) => file.endsWith('.html') && existsSync(join(docs, file.replace(/html$/, 'md'))),
    )
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      const [html, markdown] = [
        await textOf(readHtml, join(docs, name)),
        await textOf(readMarkdown, join(docs, name.replace(/html$/, 'md'))),
      ]
      expect(cells(html)).toEqual(cells(markdown))
      expect(shared(words(markdown), words(html))).toBe(words(markdown).length)
    }
  })
})
