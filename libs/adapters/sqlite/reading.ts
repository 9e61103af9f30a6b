import type { DatabaseSync } from 'node:sqlite'
import type { Filters } from '@plumbline/contracts'
import { passes } from '@plumbline/ports/passage-index/filters'
import type { Scope } from '@plumbline/ports/passage-index/passage-index'
import { atOneMoment, documentBits, passageKey, termsForm, wordsOf } from './database'
import type { Calls, FoundRow, UnfilledRow } from './thread'
import { vectorImage, type VectorImage } from './vector-image'

type CachedImage = { image: VectorImage; moment: unknown; last: number; lastFilled: number; documents: Set<number> }

/**
 * The limits for the vector images, which are 8-bit copies of vectors in memory. The image in use is kept even if it
 * exceeds the limits.
 */
const mostBytes = 1_000_000_000
const mostImages = 200

const floats = (blob: Uint8Array): Float32Array => new Float32Array(blob.slice().buffer)

const evict = (images: Map<string, CachedImage>, inUse: string): void => {
  let bytes = [...images.values()].reduce((sum, { image }) => sum + image.bytes(), 0)
  for (const [name, { image }] of images) {
    if ((bytes <= mostBytes && images.size <= mostImages) || name === inUse) return
    images.delete(name)
    bytes -= image.bytes()
  }
}

type Since = { nth?: number; key: number; class: number }

const addingTo = (db: DatabaseSync) => {
  const documentsSince = db.prepare(
    'SELECT key, class FROM documents WHERE tenant = ? AND key > ? AND space = ? ORDER BY key',
  )
  const filledSince = db.prepare(
    'SELECT f.nth, d.key, d.class FROM filled f JOIN documents d ON d.key = f.document WHERE f.nth > ? AND d.tenant = ? AND d.space = ? ORDER BY f.nth',
  )
  const vectorsOf = db.prepare('SELECT key, vector FROM vectors WHERE key >= ? AND key < ? ORDER BY key')
  return (held: CachedImage, tenant: number, space: string): void => {
    const written = documentsSince.all(tenant, held.last, space) as Since[]
    const filled = filledSince.all(held.lastFilled, tenant, space) as Since[]
    held.last = written.at(-1)?.key ?? held.last
    held.lastFilled = filled.at(-1)?.nth ?? held.lastFilled
    for (const { key, class: kind } of [...written, ...filled]) {
      if (held.documents.has(key)) continue
      const rows = vectorsOf.all(passageKey(key, 0), passageKey(key + 1, 0)) as { key: number; vector: Uint8Array }[]
      const vectors = rows.map((row) => ({ key: row.key, vector: floats(row.vector) }))
      held.image.add(key, kind, vectors)
      held.documents.add(key)
    }
  }
}

const nearestOf = (db: DatabaseSync) => {
  const images = new Map<string, CachedImage>()
  const read = addingTo(db)
  const removedSince = db.prepare('SELECT nth, document FROM removals WHERE nth > ? ORDER BY nth')
  const changes = db.prepare('PRAGMA data_version')
  let removal = Number(db.prepare('SELECT max(nth) AS nth FROM removals').get()?.nth ?? 0)
  let seen: unknown

  /**
   * Deletes removed documents from the images, which are copies of the vectors in memory. Deletes all images if the file
   * no longer lists every removal since the last call.
   */
  const forget = (): void => {
    const removed = removedSince.all(removal) as { nth: number; document: number }[]
    if (removed[0] && removed[0].nth > removal + 1) images.clear()
    for (const { document } of removed)
      for (const { image, documents } of images.values()) if (documents.delete(document)) image.remove(document)
    removal = removed.at(-1)?.nth ?? removal
  }

  /** Returns the keys of the nearest passages. Within `atOneMoment`, these passages still exist when they are read. */
  return (tenant: number, classes: Iterable<number>, space: string, vector: Float32Array, most: number): number[] => {
    const moment = changes.get()?.data_version
    if (moment !== seen) forget()
    seen = moment
    const name = `${tenant} ${space}`
    const held = images.get(name) ?? {
      image: vectorImage(vector.length),
      moment: undefined,
      last: 0,
      lastFilled: 0,
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

const classesInScope = `
  SELECT c.key FROM classes c WHERE c.tenant = ?1 AND c.collection IN (SELECT value FROM json_each(?2)) AND NOT EXISTS (
    SELECT 1 FROM json_each(?3) wanted WHERE NOT EXISTS (
      SELECT 1 FROM json_each(c.metadata) held WHERE held.key = wanted.key AND held.value = wanted.value))
  AND (?5 = '{}' OR passes(?5, c.metadata))
  AND (?4 IS NULL OR c.access = '[]' OR EXISTS (SELECT 1 FROM json_each(c.access) tag WHERE tag.value IN (SELECT value FROM json_each(?4))))`

/** SQL compares the filters in `same` for equality. The function `passes` evaluates the other filters. */
const partsOf = (filters: Scope['filters']): { same: string; conditions: string } => {
  const all = Object.entries(filters)
  const isSame = ([, wanted]: (typeof all)[number]): boolean => typeof wanted === 'string'
  return {
    same: JSON.stringify(Object.fromEntries(all.filter(isSame))),
    conditions: JSON.stringify(Object.fromEntries(all.filter((filter) => !isSame(filter)))),
  }
}

const addPasses = (db: DatabaseSync): void => {
  let last: { text: string; filters: Filters } | undefined
  db.function('passes', { deterministic: true }, (text, metadata) => {
    if (last?.text !== text) last = { text: String(text), filters: JSON.parse(String(text)) as Filters }
    return passes(last.filters, JSON.parse(String(metadata)) as Record<string, string>) ? 1 : 0
  })
}

const inClasses = `(rowid >> ${documentBits}) IN (SELECT key FROM documents WHERE class IN (SELECT value FROM json_each(?2)))`

/**
 * The number of candidates whose exact distance is computed. The number is larger than `k`, because the rounded vectors
 * of an image change the ranks slightly.
 */
const compared = (k: number): number => k * 2 + 50

const readingIn = (db: DatabaseSync) => {
  const tenantKey = db.prepare('SELECT key FROM tenants WHERE tenant = ?')
  addPasses(db)
  const classes = db.prepare(classesInScope)
  return <Result>(scope: Scope, none: Result, work: (tenant: number, classes: number[]) => Result): Result =>
    atOneMoment(db, () => {
      const tenant = tenantKey.get(scope.tenant)?.key
      if (tenant === undefined) return none
      const { collections, filters, access } = scope
      const { same, conditions } = partsOf(filters)
      const found = classes.all(
        tenant,
        JSON.stringify(collections),
        same,
        access === 'all' ? null : JSON.stringify(access),
        conditions,
      )
      return found.length === 0
        ? none
        : work(
            Number(tenant),
            found.map(({ key }) => Number(key)),
          )
    })
}

const olderIn = (db: DatabaseSync): Calls['older'] => {
  const next = db.prepare(
    'SELECT key FROM documents d WHERE key > ? AND NOT EXISTS (SELECT 1 FROM forms f WHERE f.document = d.key AND f.form >= ?) ORDER BY key LIMIT 1',
  )
  const passages = db.prepare('SELECT key, passage FROM passages WHERE key >= ? AND key < ? ORDER BY key')
  return (after) =>
    atOneMoment(db, () => {
      const document = next.get(after, termsForm)?.key
      if (document === undefined) return null
      const rows = passages.all(passageKey(Number(document), 0), passageKey(Number(document) + 1, 0))
      return { document: Number(document), passages: rows as { key: number; passage: string }[] }
    })
}

const unfilledIn = (db: DatabaseSync): Pick<Calls, 'unfilled' | 'missing'> => {
  const next = db.prepare(`
    SELECT d.key AS document, t.tenant, c.collection, d.id, d.version, d.size, coalesce(f.done, 0) AS done
    FROM documents d JOIN tenants t ON t.key = d.tenant JOIN classes c ON c.key = d.class
    LEFT JOIN filling f ON f.document = d.key AND f.space = ?1 WHERE d.space <> ?1 ORDER BY d.key LIMIT 1`)
  const passages = db.prepare('SELECT key, passage FROM passages WHERE key >= ? AND key < ? ORDER BY key LIMIT ?')
  const missing = db.prepare(`
    SELECT coalesce(sum(d.size), 0) AS n FROM documents d JOIN classes c ON c.key = d.class
    JOIN tenants t ON t.key = d.tenant
    WHERE d.space <> ?1 AND (?2 IS NULL OR (t.tenant = ?2 AND c.collection = ?3))`)
  return {
    unfilled: (space, most) =>
      atOneMoment(db, () => {
        const row = next.get(space) as Omit<UnfilledRow, 'passages'> | undefined
        if (!row) return null
        const { document, done } = row
        const keys = [passageKey(document, done), passageKey(document + 1, 0), most] as const
        return { ...row, passages: passages.all(...keys) as UnfilledRow['passages'] }
      }),
    missing: (space, tenant, collection) => Number(missing.get(space, tenant, collection)?.n ?? 0),
  }
}

export const readingCalls = (
  db: DatabaseSync,
): Pick<Calls, 'similar' | 'matching' | 'passages' | 'count' | 'older' | 'unfilled' | 'missing'> => {
  const reading = readingIn(db)
  const nearest = nearestOf(db)
  const allClasses = db.prepare('SELECT count(*) AS n FROM classes WHERE tenant = ?')
  const exact = db.prepare(`
    SELECT p.passage, p.document, 1 - near.distance AS score, near.vector FROM (
      SELECT v.key, v.vector, coalesce(vec_distance_cosine(v.vector, ?1), 1) AS distance
      FROM json_each(?2) likely CROSS JOIN vectors v ON v.key = likely.value ORDER BY distance, v.key LIMIT ?3
    ) near JOIN passages p ON p.key = near.key ORDER BY near.distance, near.key`)
  const passages = db.prepare(`
    SELECT p.passage FROM documents d CROSS JOIN passages p ON p.document = d.key
    WHERE d.tenant = ?1 AND d.id = ?2 AND d.class IN (SELECT value FROM json_each(?3)) AND p.position BETWEEN ?4 AND ?5 ORDER BY p.position, p.key`)
  const count = db.prepare('SELECT sum(size) AS n FROM documents WHERE class IN (SELECT value FROM json_each(?))')

  /** Prepares a full-text query. It avoids `ORDER BY rank`, with which FTS5 sorts the whole rows of all matches. */
  const matching = (tenant: number, inside: readonly number[]) => {
    const words = wordsOf(tenant)
    const everything = Number(allClasses.get(tenant)?.n ?? 0) === inside.length
    return db.prepare(`
      SELECT p.passage, p.document, -best.score AS score, NULL AS vector FROM (
        SELECT rowid AS key, bm25(${words}) AS score FROM ${words} WHERE ${words} MATCH ?1 AND (${everything ? '?2 IS NOT NULL' : inClasses}) ORDER BY score LIMIT ?3
      ) best JOIN passages p ON p.key = best.key ORDER BY best.score`)
  }

  return {
    ...unfilledIn(db),
    older: olderIn(db),
    similar: (scope, space, vector, k) =>
      reading<FoundRow[]>(scope, [], (tenant, inside) => {
        const likely = nearest(tenant, inside, space, floats(vector), compared(k))
        return exact.all(vector, JSON.stringify(likely), k) as FoundRow[]
      }),
    matching: (scope, expression, k) =>
      reading<FoundRow[]>(
        scope,
        [],
        (tenant, inside) => matching(tenant, inside).all(expression, JSON.stringify(inside), k) as FoundRow[],
      ),
    passages: (scope, documentId, from, to) =>
      reading<{ passage: string }[]>(
        scope,
        [],
        (tenant, inside) => passages.all(tenant, documentId, JSON.stringify(inside), from, to) as { passage: string }[],
      ),
    count: (scope) => reading(scope, 0, (_, inside) => Number(count.get(JSON.stringify(inside))?.n ?? 0)),
  }
}
