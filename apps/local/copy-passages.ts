import { isDeepStrictEqual } from 'node:util'
import { type ExportedDocument, openSqliteExport } from '@plumbline/adapters/sqlite/exporting'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index/passage-index'
import { Fault } from './terminal'

export type CopiedPassages = { documents: number; of: number; passages: number }

const copyDocument = async (
  to: PassageIndex,
  { tenant, document, passages }: ExportedDocument,
  signal: AbortSignal,
): Promise<void> => {
  await to.write(tenant, document, passages, signal)
  const scope: Scope = { tenant, collections: [document.collection], filters: document.metadata, access: 'all' }
  const there = await to.passages(scope, document.id, null, signal)
  const here = passages.map(({ passage }) => passage).sort((a, b) => a.position - b.position)
  if (!isDeepStrictEqual(there, here))
    throw new Fault(`The copied passages of the document ${document.id} differ from the originals.`)
}

/** Copies all passages with their vectors, so that nothing must be embedded again. */
export const copyPassages = async (
  file: string,
  to: PassageIndex,
  signal: AbortSignal,
  tell: (moved: CopiedPassages) => void,
): Promise<CopiedPassages> => {
  const from = openSqliteExport(file)
  try {
    const waiting = from.withoutVectors()
    if (waiting > 0)
      throw new Fault(
        `${waiting} ${waiting === 1 ? 'document has' : 'documents have'} no vectors yet, and Qdrant needs them. Start Plumbline, and wait until no document in GET /v1/documents has the field \`vectors\`. Then stop Plumbline, and run npm run plumbline -- move again.`,
      )
    const moved: CopiedPassages = { documents: 0, of: from.count(), passages: 0 }
    const counts = new Map<string, { tenant: string; collection: string; here: number }>()
    for (const exported of from.documents()) {
      const { tenant, document, passages } = exported
      await copyDocument(to, exported, signal)
      moved.documents += 1
      moved.passages += passages.length
      const key = JSON.stringify([tenant, document.collection])
      const here = (counts.get(key)?.here ?? 0) + passages.length
      counts.set(key, { tenant, collection: document.collection, here })
      tell(moved)
    }
    for (const { tenant, collection, here } of counts.values()) {
      const there = await to.count({ tenant, collections: [collection], filters: {}, access: 'all' }, signal)
      if (there !== here)
        throw new Fault(
          `Qdrant holds ${there} passages of the collection ${collection} of ${tenant}, but the local index contains ${here}. Another installation may have written to this collection. Set another QDRANT_PREFIX.`,
        )
    }
    return moved
  } finally {
    from.close()
  }
}
