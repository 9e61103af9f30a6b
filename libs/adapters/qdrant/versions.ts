import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { IndexedDocument, IndexedPassage } from '@plumbline/ports/passage-index'
import type { Schemas } from '@qdrant/js-client-rest'
import { ask, type Api } from './api'
import { vectorNames } from './collections'
import { uuidOf } from './names'
import { labelsOf, type PointPayload, type Tombstone } from './payload'
import { sparseForm, sparsePassage } from './sparse'

/** Of one request; a server takes 32 MB unless it is told otherwise. */
const mostPoints = 128
const mostBytes = 4_000_000
const bytesPerNumber = 21

export const digestOf = async (
  document: IndexedDocument,
  passages: readonly IndexedPassage[],
  signal: AbortSignal,
): Promise<string> => {
  const hash = createHash('sha256').update(JSON.stringify([sparseForm, document]))
  for (const [at, { passage, vector }] of passages.entries()) {
    if (at % mostPoints === mostPoints - 1) await nextTurn()
    signal.throwIfAborted()
    hash.update(JSON.stringify(passage)).update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
  }
  return hash.digest('hex')
}

export type Version = Tombstone & { digest: string }
/** Clocks may differ or turn back; the order of a document's versions may not. */
export const following = (before: Tombstone | undefined, digest: string): Version => {
  const epoch = Math.max(Date.now(), (before?.epoch ?? 0) + 1)
  return { epoch, digest, version: `${epoch.toString(36)}-${digest.slice(0, 24)}` }
}

export const pointOf = (
  tenant: string,
  document: IndexedDocument,
  { version, epoch }: Version,
  home: string,
  { passage, vector }: IndexedPassage,
) => ({
  id: uuidOf('passage', tenant, document.id, version, passage.id),
  vector: { [vectorNames.dense]: Array.from(vector), [vectorNames.words]: sparsePassage(passage) },
  payload: {
    ...labelsOf(tenant, document),
    version,
    epoch,
    home,
    position: passage.position,
    passage,
  } satisfies PointPayload,
})
export const bytesOf = ({ vector, passage }: IndexedPassage): number =>
  vector.length * bytesPerNumber + JSON.stringify(passage).length * 3

export const batchesOf = function* <Item>(items: readonly Item[], sizeOf: (item: Item) => number): Generator<Item[]> {
  let [batch, bytes]: [Item[], number] = [[], 0]
  for (const item of items) {
    const size = sizeOf(item)
    if (batch.length > 0 && (batch.length === mostPoints || bytes + size > mostBytes)) {
      yield batch
      ;[batch, bytes] = [[], 0]
    }
    batch.push(item)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

export const upsert = (
  api: Api,
  collection: string,
  points: Schemas['PointStruct'][],
  signal: AbortSignal,
): Promise<unknown> =>
  ask(signal, (init) => api.upsertPoints({ collection_name: collection, wait: true, points }, init))
