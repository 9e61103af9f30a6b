import { existsSync, readFileSync } from 'node:fs'
import { openParser } from '@plumbline/parsing'
import type { DocumentParser } from '@plumbline/ports/document-parser'
import { hasSet, root, rowsOf } from './data'
import { tablesIn } from './tables-real-cells'
import { f1, scoredFile, type Expected, type Score } from './tables-real-score'

export { root }
const set = 'tables_real'
export const hasData = hasSet(`${set}/tables.jsonl`)

type File = { file: string; format: string; truth: 'human' | 'peer'; spans: string; complete: boolean }
type Read = File & { scores: Score[]; extra: number }

/**
 * The result for the files of one format and one kind of truth. `good`: the share of tables with an F1 of at least 0.9.
 * `lost`: the share below 0.1. `header`: the share with the right header. `extra`: the number of false tables.
 */
export type Row = {
  name: string
  files: number
  tables: number
  f1: number
  cells: number
  good: number
  lost: number
  header: number
  extra: number
}

const readOne = async (parser: DocumentParser, file: File, expected: readonly Expected[]): Promise<Read> => {
  const path = `${root}/${set}/files/${file.file}`
  const { parts } = await parser.parse({ path, name: file.file }, new AbortController().signal)
  const found = tablesIn(parts.map(({ text }) => text).join('\n\n'))
  const { scores, extra } = scoredFile(expected, found, file.spans === 'given')
  return { ...file, scores, extra: file.complete ? extra : 0 }
}

const rounded = (figure: number): number => Number(figure.toFixed(3))

const rowOf = (name: string, read: readonly Read[]): Row => {
  const scores = read.flatMap((one) => one.scores)
  const sum = (of: (one: Score) => number): number => scores.reduce((total, one) => total + of(one), 0)
  const mean = (of: (one: Score) => number): number => rounded(sum(of) / scores.length)
  const [right, expected, found] = [sum((one) => one.right), sum((one) => one.expected), sum((one) => one.found)]
  return {
    name,
    files: read.length,
    tables: scores.length,
    f1: mean((one) => one.f1),
    cells: rounded(f1({ right, expected, found })),
    good: mean((one) => Number(one.f1 >= 0.9)),
    lost: mean((one) => Number(one.f1 < 0.1)),
    header: mean((one) => Number(one.header)),
    extra: read.reduce((total, one) => total + one.extra, 0),
  }
}

/** Only PDF tables that people annotated have minimums. */
export const holds = ({ name, f1: mean, lost, header, extra }: Row): boolean =>
  name !== 'pdf, human truth' || (mean >= 0.93 && lost <= 0.02 && header >= 0.85 && extra <= 5)

const line = (all: readonly string[]): string =>
  all.map((cell, at) => (at === 0 ? cell.padEnd(34) : cell.padStart(14))).join('')

const reportLine = (row: Row, before: readonly Row[]): string => {
  const was = before.find(({ name }) => name === row.name)?.f1.toFixed(3) ?? '-'
  const shares = [row.cells, row.good, row.lost, row.header].map((figure) => figure.toFixed(3))
  return line([row.name, ...[row.files, row.tables].map(String), row.f1.toFixed(3), was, ...shares, String(row.extra)])
}

/** The README of the data set contains the published figures of other readers. */
const published = (): string[] => {
  const path = `${root}/${set}/README.md`
  const [, figures = ''] = existsSync(path) ? readFileSync(path, 'utf8').split(/^## Figures/m) : []
  return figures.split('\n').filter((text) => text.startsWith('|') && !text.startsWith('|-'))
}

export const table = async (before: Row[], tell: (line: string) => void): Promise<Row[]> => {
  const tables = Map.groupBy(rowsOf<Expected & { file: string }>(`${set}/tables.jsonl`), ({ file }) => file)
  const parser = openParser({ limits: { atOnce: 1 } })
  const read: Read[] = []
  try {
    for (const file of rowsOf<File>(`${set}/files.jsonl`))
      read.push(await readOne(parser, file, tables.get(file.file) ?? []))
  } finally {
    await parser.close()
  }
  const kinds = Map.groupBy(read, ({ format, truth }) => `${format}, ${truth} truth`)
  const rows = [...kinds].map(([name, some]) => rowOf(name, some)).sort((a, b) => a.name.localeCompare(b.name))
  tell(line(['ours', 'files', 'tables', 'mean F1', 'before', 'cell F1', 'good', 'lost', 'header', 'false']))
  for (const row of rows) tell(reportLine(row, before))
  tell('\npublished of others, PDF')
  for (const text of published())
    tell(
      line(
        text
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    )
  return rows
}
