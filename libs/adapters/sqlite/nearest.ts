import type { DatabaseSync } from 'node:sqlite'
import { passageKey } from './schema'
import type { VectorImage } from './vector-image'
import { vectorImage } from './vector-image'

type Held = { image: VectorImage; moment: unknown; last: number; documents: Set<number> }

/** Of all images together; the one in use stays, however large it is. */
const mostBytes = 1_000_000_000
const mostImages = 200

const floats = (blob: Uint8Array): Float32Array => new Float32Array(blob.slice().buffer)

const evict = (images: Map<string, Held>, inUse: string): void => {
  let bytes = [...images.values()].reduce((sum, { image }) => sum + image.bytes(), 0)
  for (const [name, { image }] of images) {
    if ((bytes <= mostBytes && images.size <= mostImages) || name === inUse) return
    images.delete(name)
    bytes -= image.bytes()
  }
}

/** One image for each tenant and space that is asked for, kept like the file: each search first reads what was written and removed since the last. */
export const nearestOf = (db: DatabaseSync) => {
  const images = new Map<string, Held>()
  const documentsSince = db.prepare(
    'SELECT key, class FROM documents WHERE tenant = ? AND key > ? AND space = ? ORDER BY key',
  )
  const vectorsOf = db.prepare('SELECT key, vector FROM vectors WHERE key >= ? AND key < ? ORDER BY key')
  const removedSince = db.prepare('SELECT nth, document FROM removals WHERE nth > ? ORDER BY nth')
  const changes = db.prepare('PRAGMA data_version')
  let removal = Number(db.prepare('SELECT max(nth) AS nth FROM removals').get()?.nth ?? 0)
  let seen: unknown

  /** Removals are kept for a while only: whoever missed some begins anew. */
  const forget = (): void => {
    const removed = removedSince.all(removal) as { nth: number; document: number }[]
    if (removed[0] && removed[0].nth > removal + 1) images.clear()
    for (const { document } of removed)
      for (const { image, documents } of images.values()) if (documents.delete(document)) image.remove(document)
    removal = removed.at(-1)?.nth ?? removal
  }
  const read = (held: Held, tenant: number, space: string): void => {
    for (const { key, class: kind } of documentsSince.all(tenant, held.last, space) as {
      key: number
      class: number
    }[]) {
      const rows = vectorsOf.all(passageKey(key, 0), passageKey(key + 1, 0)) as { key: number; vector: Uint8Array }[]
      held.image.add(
        key,
        kind,
        rows.map((row) => ({ key: row.key, vector: floats(row.vector) })),
      )
      held.documents.add(key)
      held.last = key
    }
  }

  /** The likely nearest, best first. Only within `atOneMoment`: what it finds is there to be read in the same step. */
  return (tenant: number, classes: Iterable<number>, space: string, vector: Float32Array, most: number): number[] => {
    const moment = changes.get()?.data_version
    if (moment !== seen) forget()
    seen = moment
    const name = `${tenant} ${space}`
    const held = images.get(name) ?? {
      image: vectorImage(vector.length),
      moment: undefined,
      last: 0,
      documents: new Set(),
    }
    images.delete(name)
    images.set(name, held)
    if (held.moment !== moment) read(held, tenant, space)
    held.moment = moment
    evict(images, name)
    return held.image.nearest(vector, classes, most)
  }
}
