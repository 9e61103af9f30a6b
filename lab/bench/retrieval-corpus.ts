import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Passage } from '@plumbline/contracts'
import { chunk } from '@plumbline/knowledge/chunking/chunk'
import { sentences } from '@plumbline/knowledge/text'

const root = join(process.env['EVAL_DATA'] ?? '', 'retrieval')
const perDocument = 10

type Row = { title: string; text: string }

const rowsOf = <T>(file: string): T[] =>
  readFileSync(join(root, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

const cut = (file: string): Row[] =>
  chunk(
    { id: file, collection: 'bench', title: file.replace('.md', '') },
    { markup: 'markdown', parts: [{ text: readFileSync(join(root, 'chunk_spans/docs', file), 'utf8') }] },
  )

const written = (): Row[] => [
  ...['hotpotqa/corpus.jsonl', 'musique/corpus.jsonl', 'distractors_2wiki.jsonl'].flatMap(rowsOf<Row>),
  ...readdirSync(join(root, 'chunk_spans/docs')).flatMap(cut),
]

const seeded = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const recombined = (rows: readonly Row[], pool: readonly string[], below: (limit: number) => number): Row => {
  const like = rows[below(rows.length)] ?? { title: '', text: '' }
  let text = ''
  while (text.length < like.text.length) text = `${text} ${pool[below(pool.length)] ?? ''}`.trim()
  return { title: like.title, text }
}

export const hasCorpus = (): boolean => existsSync(root)

/** If more passages are wanted than the data contains, adds passages of recombined sentences. */
export const corpusOf = (size: number): Passage[] => {
  const rows = [...new Map(written().map((row) => [row.text, row])).values()]
  const pool = rows.flatMap(({ text }) => sentences(text))
  const below = seeded(7)
  return Array.from({ length: size }, (_, at): Passage => {
    const { title, text } = rows[at] ?? recombined(rows, pool, below)
    const documentId = `d${Math.floor(at / perDocument)}`
    const position = at % perDocument
    return { id: `${documentId}.${position}`, documentId, collection: 'bench', title, text, headingPath: [], position }
  })
}

export const documentsOf = (passages: readonly Passage[]): { id: string; passages: Passage[] }[] =>
  Array.from({ length: Math.ceil(passages.length / perDocument) }, (_, at) => ({
    id: `d${at}`,
    passages: passages.slice(at * perDocument, (at + 1) * perDocument),
  }))

export const questions = (most: number): string[] => {
  const asked = [
    ...['hotpotqa/queries.jsonl', 'musique/queries.jsonl'].flatMap(rowsOf<{ text: string }>).map(({ text }) => text),
    ...rowsOf<{ question: string }>('chunk_spans/questions.jsonl').map(({ question }) => question),
  ]
  const step = Math.max(1, asked.length / most)
  return Array.from({ length: Math.min(most, asked.length) }, (_, at) => asked[Math.floor(at * step)] ?? '')
}
