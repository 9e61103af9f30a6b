import type { DatabaseSync } from 'node:sqlite'
import type { Scope } from '@plumbline/ports/passage-index'
import { atOneMoment } from './database'
import { nearestOf } from './nearest'
import type { Calls, FoundRow } from './protocol'
import { documentBits, wordsOf } from './schema'

const classesInScope = `
  SELECT c.key FROM classes c WHERE c.tenant = ?1 AND c.collection IN (SELECT value FROM json_each(?2)) AND NOT EXISTS (
    SELECT 1 FROM json_each(?3) wanted WHERE NOT EXISTS (
      SELECT 1 FROM json_each(c.metadata) held WHERE held.key = wanted.key AND held.value = wanted.value))
  AND (?4 IS NULL OR c.access = '[]' OR EXISTS (SELECT 1 FROM json_each(c.access) tag WHERE tag.value IN (SELECT value FROM json_each(?4))))`

const inClasses = `(rowid >> ${documentBits}) IN (SELECT key FROM documents WHERE class IN (SELECT value FROM json_each(?2)))`

/** So many more than asked for are compared exactly: the rounding of the image moves a passage by a few places at most. */
const compared = (k: number): number => k * 2 + 50

/** Reads at one moment of the file, of a tenant's classes that are in scope; where there are none, nothing is read. */
const readingIn = (db: DatabaseSync) => {
  const tenantKey = db.prepare('SELECT key FROM tenants WHERE tenant = ?')
  const classes = db.prepare(classesInScope)
  return <Result>(scope: Scope, none: Result, work: (tenant: number, classes: number[]) => Result): Result =>
    atOneMoment(db, () => {
      const tenant = tenantKey.get(scope.tenant)?.key
      if (tenant === undefined) return none
      const { collections, filters, access } = scope
      const found = classes.all(
        tenant,
        JSON.stringify(collections),
        JSON.stringify(filters),
        access === 'all' ? null : JSON.stringify(access),
      )
      return found.length === 0
        ? none
        : work(
            Number(tenant),
            found.map(({ key }) => Number(key)),
          )
    })
}

export const readingCalls = (db: DatabaseSync): Pick<Calls, 'similar' | 'matching' | 'passages' | 'count'> => {
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

  /** Without ordering by `rank`: FTS5 would then sort whole rows of all matches. A scope that leaves nothing out is not asked for each of them. */
  const matching = (tenant: number, inside: readonly number[]) => {
    const words = wordsOf(tenant)
    const everything = Number(allClasses.get(tenant)?.n ?? 0) === inside.length
    return db.prepare(`
      SELECT p.passage, p.document, -best.score AS score, NULL AS vector FROM (
        SELECT rowid AS key, bm25(${words}) AS score FROM ${words} WHERE ${words} MATCH ?1 AND (${everything ? '?2 IS NOT NULL' : inClasses}) ORDER BY score LIMIT ?3
      ) best JOIN passages p ON p.key = best.key ORDER BY best.score`)
  }

  return {
    similar: (scope, space, vector, k) =>
      reading<FoundRow[]>(scope, [], (tenant, inside) => {
        const likely = nearest(tenant, inside, space, new Float32Array(vector.slice().buffer), compared(k))
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
