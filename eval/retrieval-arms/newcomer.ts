import { readdirSync, readFileSync } from 'node:fs'
import { readFormat } from '@plumbline/adapters/parsing/read'
import type { Passage } from '@plumbline/contracts'
import { formatOfName } from '@plumbline/contracts/format-names'
import { chunk } from '@plumbline/knowledge/chunking'
import { root, rowsOf } from '../data'
import { shareOf } from './quoted'
import type { Query } from './sets'

const folder = 'newcomer'

/** Read and cut as the ingestor does it. */
const passagesOf = async (collection: string, name: string): Promise<Passage[]> => {
  const bytes = readFileSync(`${root}/${folder}/docs/${collection}/${name}`)
  const read = await readFormat[formatOfName(name) ?? 'text'](bytes, { name })
  return chunk({ id: name, collection, title: read.title ?? name }, read)
}

export const newcomerPassages = async (): Promise<Passage[]> => {
  const collections = readdirSync(`${root}/${folder}/docs`)
  const files = collections.flatMap((collection) =>
    readdirSync(`${root}/${folder}/docs/${collection}`).map((name) => [collection, name] as const),
  )
  return (await Promise.all(files.map(([collection, name]) => passagesOf(collection, name)))).flat()
}

type Row = {
  id: string
  collection: string
  question: string
  standalone?: string
  documents: string[]
  passageQuote: string | null
}

/** Those that the documents answer; a follow-up as it reads without its thread. */
export const newcomerQueries = (): Query[] =>
  rowsOf<Row>(`${folder}/questions.jsonl`).flatMap(
    ({ id, collection, question, standalone, documents, passageQuote }) =>
      passageQuote === null
        ? []
        : [{ id, collection, text: standalone ?? question, wanted: [{ share: shareOf(passageQuote, documents) }] }],
  )
