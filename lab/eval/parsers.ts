import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { openParser } from '@plumbline/parsing'
import { Unfit, type DocumentParser } from '@plumbline/ports/document-parser'
import { hasData, root, rowsOf } from './data'
import { compareTables, f1, shared, tablesOf, wordsOf, type Counts } from './parsers-score'

export { hasData, root }

/** `prose`: true if the expected file also contains the text around the tables. */
type File = { file: string; format: string; groundtruth: string | null; traits: string[]; prose: boolean }
type Read = { file: string; format: string; markdown: string | null; problem: string; ms: number }
type Scored = Read & {
  words: Counts
  tables: number
  matched: number
  expectedTables: number
  cells: Counts
  placed: Counts
}
/**
 * The result for all files of one format. `words`: the share of expected words that were read. `leastWords`: that share
 * for the worst file. `cells`: F1 over all table cells. `placed`: the same, but a cell must also be in its row and
 * column.
 */
export type Row = {
  name: string
  files: number
  read: number
  words: number
  leastWords: number
  tables: string
  cells: number
  placed: number
  floor: number | null
  problems: string[]
  msPerRow: number
}

const floors: Record<string, number> = { docx: 0.9, html: 0.9, xlsx: 0.9, csv: 0.9, pptx: 0.9, md: 0.95, pdf: 0.8 }
const wordFloors: Record<string, { all: number; each: number }> = {
  // The minimums for HTML are lower, because the text around the article of a web page is omitted on purpose.
  html: { all: 0.85, each: 0.8 },
  pdf: { all: 0.97, each: 0.97 },
}
const usualWordFloor = { all: 0.97, each: 0.95 }

/** The Markdown of this document is the expected text of its other formats. */
const derived = 'table_qa/docs/google-cloud-region-carbon'

const files = (): File[] => [
  ...rowsOf<File>('parsers/manifest.jsonl').map(({ file, groundtruth, ...row }) => ({
    ...row,
    prose: true,
    file: `parsers/${file}`,
    groundtruth: groundtruth && `parsers/${groundtruth}`,
  })),
  ...['pdf', 'html', 'md', 'xlsx'].map((format) => ({
    file: `${derived}.${format}`,
    format,
    groundtruth: `${derived}.md`,
    traits: [],
    prose: format !== 'xlsx',
  })),
]

const refusals: Record<string, string> = { no_text_layer: 'no-text', truncated: 'truncated' }

const readOne = async (parser: DocumentParser, { file, format }: File): Promise<Read> => {
  const from = performance.now()
  const base = { file, format }
  try {
    const { parts } = await parser.parse(
      { path: `${root}/${file}`, name: basename(file) },
      new AbortController().signal,
    )
    return { ...base, markdown: parts.map(({ text }) => text).join('\n\n'), problem: '', ms: performance.now() - from }
  } catch (error) {
    return {
      ...base,
      markdown: null,
      problem: error instanceof Unfit ? error.reason : String(error),
      ms: performance.now() - from,
    }
  }
}

const scored = (read: Read, expected: string, prose: boolean): Scored => {
  const [want, got] = [tablesOf(expected), tablesOf(read.markdown ?? '')]
  const [words, saidWords] = [prose ? wordsOf(expected) : [], wordsOf(read.markdown ?? '')]
  const { cells, placed, matched } = compareTables(want, got)
  return {
    ...read,
    words: { right: shared(words, saidWords), expected: words.length, found: saidWords.length },
    tables: got.length,
    matched,
    expectedTables: want.length,
    cells,
    placed,
  }
}

const sum = (all: Counts[]): Counts =>
  all.reduce((a, b) => ({ right: a.right + b.right, expected: a.expected + b.expected, found: a.found + b.found }), {
    right: 0,
    expected: 0,
    found: 0,
  })
const rounded = (figure: number): number => Number(figure.toFixed(3))
const recall = ({ right, expected }: Counts): number => (expected === 0 ? 1 : right / expected)
const total = (all: Scored[], of: 'tables' | 'matched' | 'expectedTables'): number =>
  all.reduce((count, one) => count + one[of], 0)

const rowOf = (name: string, all: Scored[]): Row => ({
  name,
  files: all.length,
  read: all.filter(({ markdown }) => markdown !== null).length,
  words: rounded(recall(sum(all.map(({ words }) => words)))),
  leastWords: rounded(Math.min(...all.map(({ words }) => recall(words)))),
  tables: `${total(all, 'matched')}/${total(all, 'expectedTables')} of ${total(all, 'tables')}`,
  cells: rounded(f1(sum(all.map(({ cells }) => cells)))),
  placed: rounded(f1(sum(all.map(({ placed }) => placed)))),
  floor: floors[name] ?? null,
  problems: all.filter(({ problem }) => problem !== '').map(({ file, problem }) => `${basename(file)}: ${problem}`),
  msPerRow: rounded(all.reduce((ms, one) => ms + one.ms, 0) / Math.max(1, all.length)),
})

const refused = (file: File, { problem, ms }: Read): Row => {
  const expected = file.traits.map((trait) => refusals[trait]).find((reason) => reason !== undefined) ?? ''
  const right = Number(problem === expected)
  return {
    name: basename(file.file),
    files: 1,
    read: 0,
    words: 0,
    leastWords: 0,
    tables: '',
    cells: right,
    placed: right,
    floor: 1,
    problems: [problem || 'it was read'],
    msPerRow: rounded(ms),
  }
}

export const holds = ({ name, tables, words, leastWords, cells, floor, files: count, read }: Row): boolean => {
  const { all, each } = wordFloors[name] ?? usualWordFloor
  return cells >= (floor ?? 0) && (tables === '' || (read === count && words >= all && leastWords >= each))
}

const moved = (row: Row, before: Row[]): string => {
  const by = row.cells - (before.find(({ name }) => name === row.name)?.cells ?? NaN)
  return Number.isNaN(by) ? 'new' : Math.abs(by) < 0.0005 ? '=' : `${by > 0 ? '+' : ''}${by.toFixed(3)}`
}

const line = (all: string[]): string =>
  all.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(at === 3 ? 16 : 9))).join('')
const reportLine = (row: Row, before: Row[]): string => {
  const verdict = row.floor === null ? ['', ''] : [row.floor.toFixed(2), holds(row) ? 'yes' : 'NO']
  return line([
    row.name,
    `${row.read}/${row.files}`,
    row.words.toFixed(3),
    row.tables,
    row.cells.toFixed(3),
    moved(row, before),
    row.placed.toFixed(3),
    ...verdict,
    row.msPerRow.toFixed(0),
  ])
}

export const table = async (before: Row[], tell: (line: string) => void): Promise<Row[]> => {
  tell(line(['format', 'read', 'words', 'tables', 'cells F1', 'before', 'placed', 'floor', 'holds', 'ms/file']))
  const parser = openParser({ limits: { atOnce: 1 } })
  const rows: Row[] = []
  try {
    const all: { file: File; read: Read }[] = []
    for (const file of files()) all.push({ file, read: await readOne(parser, file) })
    const known = all.flatMap(({ file: { groundtruth, prose }, read }) =>
      groundtruth === null ? [] : [scored(read, readFileSync(`${root}/${groundtruth}`, 'utf8'), prose)],
    )
    for (const [format, some = []] of Object.entries(Object.groupBy(known, ({ format: name }) => name))) {
      const row = rowOf(format, some)
      rows.push(row)
      tell(reportLine(row, before))
      for (const one of some)
        if (f1(one.cells) < (floors[format] ?? 0) || recall(one.words) < 0.9 || one.problem)
          tell(
            `  ${reportLine({ ...rowOf('', [one]), name: basename(one.file).slice(0, 17), floor: null }, [])} ${one.problem}`,
          )
    }
    for (const { file, read } of all.filter((one) => one.file.groundtruth === null)) {
      const row = refused(file, read)
      rows.push(row)
      tell(`${line([row.name.padEnd(24), holds(row) ? 'yes' : 'NO'])}  ${row.problems.join()}`)
    }
  } finally {
    await parser.close()
  }
  return rows
}
