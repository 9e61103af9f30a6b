import { readdirSync } from 'node:fs'
import type { Passage } from '@plumbline/contracts'
import { chunk } from '@plumbline/knowledge/chunking/chunk'
import { openParser } from '@plumbline/parsing'
import type { DocumentParser } from '@plumbline/ports/document-parser'
import { root, rowsOf } from '../data'
import { shareOf } from './quoted'
import type { Query } from './quoted'

const folder = 'newcomer'

const passagesOf = async (parser: DocumentParser, collection: string, name: string): Promise<Passage[]> => {
  const path = `${root}/${folder}/docs/${collection}/${name}`
  const read = await parser.parse({ path, name }, new AbortController().signal)
  return chunk({ id: name, collection, title: read.title ?? name }, read)
}

export const newcomerPassages = async (): Promise<Passage[]> => {
  const collections = readdirSync(`${root}/${folder}/docs`)
  const files = collections.flatMap((collection) =>
    readdirSync(`${root}/${folder}/docs/${collection}`).map((name) => [collection, name] as const),
  )
  const parser = openParser()
  try {
    return (await Promise.all(files.map((file) => passagesOf(parser, ...file)))).flat()
  } finally {
    await parser.close()
  }
}

type Row = {
  id: string
  collection: string
  question: string
  standalone?: string
  documents: string[]
  passageQuote: string | null
}

/** A follow-up is replaced by its standalone form. */
export const newcomerQueries = (): Query[] =>
  rowsOf<Row>(`${folder}/questions.jsonl`).flatMap(
    ({ id, collection, question, standalone, documents, passageQuote }) =>
      passageQuote === null
        ? []
        : [{ id, collection, text: standalone ?? question, wanted: [{ share: shareOf(passageQuote, documents) }] }],
  )
