import { readdirSync, readFileSync } from 'node:fs'
import { builtInEmbedders } from '@plumbline/encoder/built-in-embedder'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import type { Passage } from '@plumbline/contracts'
import { chunk, withHeading } from '@plumbline/knowledge/chunking/chunk'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index/passage-index'
import { root, rowsOf } from '../data'
import { indexed } from '@plumbline/testing/indexed'
import { newcomerPassages, newcomerQueries } from './newcomer'
import { type Query, shareOf } from './quoted'

export const never = new AbortController().signal
const main = 'main'
export const scopeOf = ({ collection = main }: Query): Scope => ({
  tenant: 't',
  collections: [collection],
  filters: {},
  access: 'all',
})

export type RetrievalSet = {
  name: string
  passages: () => Passage[] | Promise<Passage[]>
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

const documentSet = ({
  folder,
  more = [],
  name,
}: Pick<RetrievalSet, 'name'> & { folder: string; more?: string[] }): RetrievalSet => ({
  name,
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

/** Plumbline's chunker splits these documents. */
const spanSet: RetrievalSet = {
  name: 'chunk spans',
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
      wanted: references.map((reference) => ({ share: shareOf(reference.text, [doc]) })),
    })),
}

/** Swaps two adjacent letters in every long word of a query. */
const misspelt = (set: RetrievalSet): RetrievalSet => ({
  ...set,
  queries: () =>
    set
      .queries()
      .map((query) => ({ ...query, text: query.text.replace(/(\p{L}{2})(\p{L})(\p{L})(?=\p{L})/gu, '$1$3$2') })),
})

export const sets: RetrievalSet[] = [
  documentSet({ name: 'HotpotQA', folder: 'retrieval/hotpotqa' }),
  documentSet({ name: 'MuSiQue', folder: 'retrieval/musique' }),
  documentSet({
    name: 'MuSiQue + distractors',
    folder: 'retrieval/musique',
    more: ['retrieval/distractors_2wiki.jsonl'],
  }),
  spanSet,
  { name: 'newcomer', passages: newcomerPassages, queries: newcomerQueries },
  misspelt(documentSet({ name: 'HotpotQA, misspelt', folder: 'retrieval/hotpotqa' })),
]

export const fill = async (file: string, passages: Passage[]): Promise<PassageIndex> => {
  const index = await openSqlitePassageIndex({ file })
  const { documents } = builtInEmbedders()
  for (const [collection, own] of Map.groupBy(passages, (passage) => passage.collection)) {
    const vectors = await documents.embed(own.map(withHeading), never)
    await index.write(
      't',
      indexed(collection, collection, documents),
      own.map((passage, at) => ({ passage, vector: vectors[at] ?? new Float32Array() })),
      never,
    )
  }
  return index
}
