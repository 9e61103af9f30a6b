import { readdirSync, readFileSync } from 'node:fs'
import { lexicalEmbedder } from '@plumbline/adapters/offline'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite'
import type { Passage } from '@plumbline/contracts'
import { chunk, headed } from '@plumbline/knowledge/chunking'
import type { PassageIndex } from '@plumbline/ports/passage-index'
import { root, rowsOf } from '../data'
import { indexed } from '@plumbline/testing/indexed'

export const never = new AbortController().signal
export const scope = { tenant: 't', collections: ['main'], filters: {}, access: 'all' as const }

/** A part of the corpus that a question needs: how much of it these passages hold. */
type Wanted = { share: (passages: readonly Passage[]) => number }
export type Query = { id: string; text: string; wanted: Wanted[] }
export type RetrievalSet = {
  name: string
  /** What recall at 5 may not fall below. */
  floor: number
  /** What plain BM25 finds, as published with the data. */
  published: [measure: string, value: number][]
  passages: () => Passage[]
  queries: () => Query[]
}

type Row = { id: string; title: string; text: string }
const corpus = (file: string): Passage[] =>
  rowsOf<Row>(file).flatMap(({ id, title, text }) =>
    chunk(
      { id, collection: 'main', title },
      { markup: 'text', parts: [{ text }] },
      { by: 'headings', levels: [1], maxChars: 20_000 },
    ),
  )

/** Questions whose answers stand in whole documents of a corpus. */
const documentSet = ({
  folder,
  more = [],
  ...about
}: Pick<RetrievalSet, 'name' | 'floor' | 'published'> & { folder: string; more?: string[] }): RetrievalSet => ({
  ...about,
  passages: () => [`${folder}/corpus.jsonl`, ...more].flatMap(corpus),
  queries: () => {
    const gold = Map.groupBy(
      rowsOf<{ query_id: string; doc_id: string }>(`${folder}/qrels.jsonl`),
      ({ query_id }) => query_id,
    )
    return rowsOf<{ id: string; text: string }>(`${folder}/queries.jsonl`).map(({ id, text }) => ({
      id,
      text,
      wanted: (gold.get(id) ?? []).map(({ doc_id }) => ({
        share: (passages) => (passages.some(({ documentId }) => documentId === doc_id) ? 1 : 0),
      })),
    }))
  },
})

const spans = 'retrieval/chunk_spans'

/** How much of `whole` a text holds at its end or its beginning, where a cut goes through it. */
const reach = (text: string, whole: string): { head: number; tail: number } => {
  if (text.includes(whole)) return { head: whole.length, tail: whole.length }
  let head = 0
  let tail = 0
  for (let size = Math.min(text.length, whole.length) - 1; size > 0 && (head === 0 || tail === 0); size -= 1) {
    if (head === 0 && text.endsWith(whole.slice(0, size))) head = size
    if (tail === 0 && text.startsWith(whole.slice(-size))) tail = size
  }
  return { head, tail }
}

const squeezed = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** Questions whose answers are stretches of long documents, which our own chunker cuts. */
const spanSet: RetrievalSet = {
  name: 'chunk spans',
  floor: 0.92,
  published: [
    ['recall@5', 0.885],
    ['recall@10', 0.953],
  ],
  passages: () =>
    readdirSync(`${root}/${spans}/docs`).flatMap((file) =>
      chunk(
        { id: file, collection: 'main', title: file.replace(/\.md$/, '') },
        { markup: 'markdown', parts: [{ text: readFileSync(`${root}/${spans}/docs/${file}`, 'utf8') }] },
      ),
    ),
  queries: () =>
    rowsOf<{ id: string; question: string; doc: string; references: { text: string }[] }>(
      `${spans}/questions.jsonl`,
    ).map(({ id, question, doc, references }) => ({
      id,
      text: question,
      wanted: references.map(({ text }) => {
        const whole = squeezed(text)
        return {
          share: (passages) => {
            const reached = passages
              .filter(({ documentId }) => documentId === doc)
              .map((passage) => reach(squeezed(passage.text), whole))
            const [head, tail] = [
              Math.max(0, ...reached.map((one) => one.head)),
              Math.max(0, ...reached.map((one) => one.tail)),
            ]
            return Math.min(1, (head + tail) / whole.length)
          },
        }
      }),
    })),
}

/** Two neighbouring letters of every long word change places, as hurried fingers do it. */
const misspelt = (set: RetrievalSet): RetrievalSet => ({
  ...set,
  queries: () =>
    set
      .queries()
      .map((query) => ({ ...query, text: query.text.replace(/(\p{L}{2})(\p{L})(\p{L})(?=\p{L})/gu, '$1$3$2') })),
})

/** Every passage five times, each time under another date: what is near the best one is its other editions. */
const inEditions = (set: RetrievalSet): RetrievalSet => ({
  ...set,
  passages: () =>
    set.passages().flatMap((passage) =>
      [2019, 2020, 2021, 2022, 2023].map((year) => ({
        ...passage,
        id: `${passage.id}-${year}`,
        text: `${passage.text} (As of ${year}.)`,
      })),
    ),
})

const bm25 = (at2: number, at5: number, at10: number): RetrievalSet['published'] => [
  ['recall@2', at2],
  ['recall@5', at5],
  ['recall@10', at10],
]
export const sets: RetrievalSet[] = [
  documentSet({ name: 'HotpotQA', folder: 'retrieval/hotpotqa', floor: 0.93, published: bm25(0.608, 0.808, 0.917) }),
  documentSet({ name: 'MuSiQue', folder: 'retrieval/musique', floor: 0.6, published: bm25(0.412, 0.483, 0.554) }),
  documentSet({
    name: 'MuSiQue + distractors',
    folder: 'retrieval/musique',
    more: ['retrieval/distractors_2wiki.jsonl'],
    floor: 0.58,
    published: bm25(0.383, 0.454, 0.554),
  }),
  spanSet,
  misspelt(documentSet({ name: 'HotpotQA, misspelt', folder: 'retrieval/hotpotqa', floor: 0.6, published: [] })),
  inEditions(
    documentSet({ name: 'HotpotQA in five editions', folder: 'retrieval/hotpotqa', floor: 0.5, published: [] }),
  ),
]

/** The set's passages in an index of their own. */
export const fill = async (file: string, passages: Passage[]): Promise<PassageIndex> => {
  const index = await openSqlitePassageIndex({ file })
  const vectors = await lexicalEmbedder.embed(passages.map(headed), never)
  await index.write(
    't',
    indexed('all', 'main', lexicalEmbedder),
    passages.map((passage, at) => ({ passage, vector: vectors[at] ?? new Float32Array() })),
    never,
  )
  return index
}
