import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import { openSqlitePassageIndex } from '@plumbline/adapters/sqlite/sqlite-passage-index'
import type { Passage } from '@plumbline/contracts'
import { withHeading } from '@plumbline/knowledge/chunking/chunk'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { corpusOf, documentsOf } from './retrieval-corpus'

const never = new AbortController().signal
export const tenant = 'bench'
export const space = lexicalEmbedder.name

type Document = { id: string; passages: Passage[] }
export type Filled = { passages: number; writeMs: number; embedMs: number; cpuMs: number }

export const fill = async (
  index: PassageIndex,
  documents: Iterable<Document>,
  until: () => boolean = () => false,
): Promise<Filled> => {
  const filled = { passages: 0, writeMs: 0, embedMs: 0 }
  const before = process.cpuUsage()
  for (const { id, passages } of documents) {
    if (until()) break
    const began = performance.now()
    const vectors = await lexicalEmbedder.embed(passages.map(withHeading), never)
    const embedded = performance.now()
    const rows = passages.flatMap((passage, at) => vectors.slice(at, at + 1).map((vector) => ({ passage, vector })))
    await index.write(tenant, { id, collection: 'bench', version: '1', metadata: {}, access: [], space }, rows, never)
    filled.passages += passages.length
    filled.embedMs += embedded - began
    filled.writeMs += performance.now() - embedded
  }
  const { user, system } = process.cpuUsage(before)
  return { ...filled, cpuMs: (user + system) / 1_000 }
}

const renamed = ({ passages }: Document, id: string): Document => ({
  id,
  passages: passages.map((passage) => ({ ...passage, id: `${id}.${passage.position}`, documentId: id })),
})

function* newAndOld(known: readonly Document[]): Generator<Document> {
  for (let nth = 0; ; nth += 1)
    for (const [at, one] of known.entries()) yield at % 2 ? one : renamed(one, `new-${nth}-${one.id}`)
}

export const ingestBeside = async (file: string, size: number): Promise<void> => {
  const index = await openSqlitePassageIndex({ file })
  const documents = newAndOld(documentsOf(corpusOf(Math.min(size, 10_000))))
  let stopped = false
  process.once('message', () => void (stopped = true))
  process.send?.('ready')
  const filled = await fill(index, documents, () => stopped)
  await index.close()
  process.send?.(filled, () => process.disconnect())
}
