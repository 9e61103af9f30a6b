import type { DatabaseSync } from 'node:sqlite'
import type { Passage } from '@plumbline/contracts'
import type { IndexedDocument, IndexedPassage } from '@plumbline/ports/passage-index/passage-index'
import { openDatabase, passageKey, prepareFile } from './database'

export type ExportedDocument = { tenant: string; document: IndexedDocument; passages: IndexedPassage[] }

type Row = {
  key: number
  tenant: string
  id: string
  version: string
  space: string
  size: number
  collection: string
  metadata: string
  access: string
}

const documentOf = ({ id, collection, version, metadata, access, space }: Row): IndexedDocument => ({
  id,
  collection,
  version,
  metadata: JSON.parse(metadata) as Record<string, string>,
  access: JSON.parse(access) as string[],
  // The index appends the length of the vectors to the name of the embedder. The length is removed here.
  space: space.replace(/:\d+$/, ''),
})

const floats = (blob: Uint8Array): Float32Array => new Float32Array(blob.slice().buffer)

const documentsIn = function* (db: DatabaseSync): Generator<ExportedDocument> {
  const passages = db.prepare(
    'SELECT p.passage, v.vector FROM passages p JOIN vectors v ON v.key = p.key WHERE p.key >= ? AND p.key < ? ORDER BY p.key',
  )
  const rows = db.prepare(`
    SELECT d.key, t.tenant, d.id, d.version, d.space, d.size, c.collection, c.metadata, c.access
    FROM documents d JOIN tenants t ON t.key = d.tenant JOIN classes c ON c.key = d.class ORDER BY d.key`)
  for (const row of rows.iterate() as Iterable<Row>) {
    const held = passages.all(passageKey(row.key, 0), passageKey(row.key + 1, 0)) as {
      passage: string
      vector: Uint8Array
    }[]
    if (held.length !== row.size)
      throw new Error(`The document ${row.id} has ${row.size} passages, but vectors for only ${held.length}.`)
    yield {
      tenant: row.tenant,
      document: documentOf(row),
      passages: held.map(({ passage, vector }) => ({
        passage: JSON.parse(passage) as Passage,
        vector: floats(vector),
      })),
    }
  }
}

export const openSqliteExport = (file: string) => {
  const db = openDatabase(file)
  prepareFile(db)
  return {
    /** Counts the documents whose vectors are still missing. Only full-text search finds these documents. */
    withoutVectors: (): number =>
      Number(db.prepare(`SELECT count(*) AS n FROM documents WHERE space LIKE '%:0' AND size > 0`).get()?.n ?? 0),
    count: (): number => Number(db.prepare('SELECT count(*) AS n FROM documents').get()?.n ?? 0),
    documents: () => documentsIn(db),
    close: () => db.close(),
  }
}
