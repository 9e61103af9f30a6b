import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Format } from '@plumbline/contracts'
import { detectFormat } from './detect'
import { readFormat } from './read'

const root = process.env['EVAL_DATA'] ?? '../shared/data'
const told = (what: string): string => (existsSync(root) ? what : `${what} — SKIPPED: no ${root}`)

const counted = (things: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1)
  return counts
}
const shared = (a: readonly string[], b: readonly string[]): number => {
  const other = counted(b)
  return [...counted(a)].reduce((sum, [thing, count]) => sum + Math.min(count, other.get(thing) ?? 0), 0)
}

const words = (markdown: string): string[] =>
  markdown
    .replace(/<!--.*?-->/gs, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []
const isRule = (row: readonly string[]): boolean => row.every((cell) => /^:?-+:?$/.test(cell))
const rowOf = (line: string): string[] =>
  line
    .replaceAll('**', '')
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.replace(/\s+/g, ' ').trim())

/** A header of merged cells is one row with us, and two with the other reader: the second stands under cells that are alike. */
const joinedHeader = (rows: string[][]): string[][] => {
  const [first = [], second, ...rest] = rows
  const merged = first.some((cell, at) => cell !== '' && cell === first[at + 1])
  if (!merged || !second || (second[0] !== '' && second[0] !== first[0])) return rows
  return [first.map((cell, at) => [...new Set([cell, second[at] ?? ''])].join(' ').trim()), ...rest]
}

/** Cells with their place in the row, so that a value in another column is not taken for the same. */
const cells = (markdown: string): string[] =>
  markdown
    .split(/\n(?!\|)/)
    .map((block) =>
      joinedHeader(
        block
          .split('\n')
          .filter((line) => line.startsWith('|'))
          .map(rowOf)
          .filter((row) => !isRule(row)),
      ),
    )
    .flat()
    .flatMap((row) => row.flatMap((cell, at) => (cell === '' ? [] : [`${at} ${cell}`])))

const figuresOf = async (
  format: Format,
  path: string,
): Promise<{ recall: number; found: number; wanted: number; got: number }> => {
  const bytes = new Uint8Array(readFileSync(path))
  expect(detectFormat({ bytes, name: path })).toBe(format)
  const text = (await readFormat[format](bytes, { name: path })).parts.map((part) => part.text).join('\n\n')
  const expected = readFileSync(`${path}.expected.md`, 'utf8')
  const [wanted, got] = [cells(expected), cells(text)]
  return {
    recall: shared(words(expected), words(text)) / words(expected).length,
    found: shared(wanted, got),
    wanted: wanted.length,
    got: got.length,
  }
}

describe.skipIf(!existsSync(root))(told('Office files and CSV, against what another reader found in them'), () => {
  it.each(['docx', 'pptx', 'xlsx', 'csv'] as const)('%s: all words, and tables cell by cell', async (format) => {
    const folder = `${root}/parsers/${format}`
    const files = readdirSync(folder).filter((name) => !name.endsWith('.md'))
    const all = await Promise.all(
      files.map(async (name) => ({ name, ...(await figuresOf(format, `${folder}/${name}`)) })),
    )
    const sum = (pick: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + pick(one), 0)
    const f1 = (2 * sum(({ found }) => found)) / sum(({ wanted, got }) => wanted + got)
    process.stdout.write(
      `${format}: F1 ${f1.toFixed(3)}; ${all.map(({ name, recall, found, wanted, got }) => `${name} ${recall.toFixed(3)} ${found}/${wanted}/${got}`).join(', ')}\n`,
    )
    for (const { name, recall } of all) expect(recall, name).toBeGreaterThan(0.95)
    expect(f1).toBeGreaterThan(0.9)
  })

  it('a workbook has the figures of the same tables in Markdown', async () => {
    const path = `${root}/table_qa/docs/google-cloud-region-carbon`
    const text = (await readFormat.xlsx(new Uint8Array(readFileSync(`${path}.xlsx`)), { name: path })).parts
      .map((part) => part.text)
      .join('\n\n')
    const wanted = cells(readFileSync(`${path}.md`, 'utf8'))
    expect(shared(wanted, cells(text))).toBe(wanted.length)
  })
})
