import type { Evidence, Passage } from '@plumbline/contracts'
import { tablesWithin } from '@plumbline/knowledge/chunking/tables'
import { amendedBy } from '@plumbline/knowledge/retrieval'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index/passage-index'
import type { RetrievalDefaults } from './retrieval-defaults'

const strength = ({ scores }: Evidence): number => scores.rerank ?? scores.fused ?? 0

export const unite = (
  perQuery: Evidence[][],
  { perQuery: best, atLeast, fillFrom }: Omit<RetrievalDefaults['evidence'], 'byWords'>,
): Evidence[] => {
  const united = new Map<string, Evidence>()
  const take = (evidence: Evidence): void => {
    const known = united.get(evidence.id)
    if (!known || strength(evidence) > strength(known)) united.set(evidence.id, evidence)
  }
  for (const found of perQuery) found.slice(0, best).forEach(take)
  const enough = fillFrom * Math.max(0, ...[...united.values()].map(strength))
  const deepest = Math.max(0, ...perQuery.map((found) => found.length))
  for (let rank = best; rank < deepest && united.size < atLeast; rank += 1) {
    const next = perQuery
      .flatMap((found) => found.slice(rank, rank + 1))
      .filter((evidence) => strength(evidence) >= enough)
      .sort((a, b) => strength(b) - strength(a))
    for (const evidence of next) if (united.has(evidence.id) || united.size < atLeast) take(evidence)
  }
  return [...united.values()].sort((a, b) => strength(b) - strength(a))
}

/** Removes passages of old versions, because a document may be replaced between two searches. */
export const ofOneVersion = async <P extends Passage>(
  index: PassageIndex,
  scope: Scope,
  found: P[],
  signal: AbortSignal,
): Promise<P[]> => {
  const versions = Map.groupBy(found, ({ documentId }) => documentId)
  const mixed = [...versions]
    .filter(([, passages]) => new Set(passages.map(({ version }) => version)).size > 1)
    .map(([id]) => id)
  if (mixed.length === 0) return found
  const current = new Map(
    await Promise.all(
      mixed.map(async (id) => [id, (await index.passages(scope, id, { from: 0, to: 0 }, signal))[0]?.version] as const),
    ),
  )
  return found.filter(({ documentId, version }) => !current.has(documentId) || current.get(documentId) === version)
}

type Around = { each: number; maxChars: number }
type Joined = { evidence: Evidence; ids: string[] }

const joinedWith = (own: Evidence, around: readonly Passage[], maxChars: number): Joined => {
  const kept: Passage[] = [own]
  let size = own.text.length
  const near = around
    .filter(({ position }) => position !== own.position)
    .sort((a, b) => Math.abs(a.position - own.position) - Math.abs(b.position - own.position))
  for (const passage of near) {
    size += passage.text.length + 2
    if (size > maxChars) break
    kept.push(passage)
  }
  kept.sort((a, b) => a.position - b.position)
  const text = kept.map((one) => one.text).join('\n\n')
  return { evidence: { ...own, text, ...tablesWithin(text, kept) }, ids: kept.map(({ id }) => id) }
}

export const withNeighbours = async (
  index: PassageIndex,
  scope: Scope,
  found: Evidence[],
  aroundOf: (collection: string) => Around,
  signal: AbortSignal,
): Promise<Evidence[]> => {
  const joined = await Promise.all(
    found.map(async (evidence): Promise<Joined> => {
      const { each, maxChars } = aroundOf(evidence.collection)
      if (each === 0) return { evidence, ids: [evidence.id] }
      const { documentId, position } = evidence
      const around = await index.passages(scope, documentId, { from: position - each, to: position + each }, signal)
      const standing = around.filter(
        (passage) => passage.version === evidence.version && amendedBy(passage, found) === undefined,
      )
      return joinedWith(evidence, standing, maxChars)
    }),
  )
  const told = new Set<string>()
  return joined.flatMap(({ evidence, ids }) => {
    if (told.has(evidence.id)) return []
    for (const id of ids) told.add(id)
    return [evidence]
  })
}

/** `reach`: how many passages before a table are read. `maxChars`: the limit of the added text for one table. */
const introduction = { reach: 6, maxChars: 1_500 }

const isSameSection = (a: Passage, b: Passage): boolean =>
  a.version === b.version && a.headingPath.join('\n') === b.headingPath.join('\n')

/**
 * Adds the text between a table and the heading of its section. It may state the unit, the scope or a legend of the
 * table, and searches seldom find it by itself.
 */
export const withIntroductions = async (
  index: PassageIndex,
  scope: Scope,
  found: Evidence[],
  signal: AbortSignal,
): Promise<Evidence[]> => {
  const added = await Promise.all(
    found.map(async (table): Promise<Evidence[]> => {
      const { documentId, position, tables = [], query } = table
      if (tables.length === 0 || position === 0) return []
      const range = { from: position - introduction.reach, to: position - 1 }
      const before = await index.passages(scope, documentId, range, signal)
      let size = 0
      return before
        .filter((passage) => passage.tables === undefined && isSameSection(passage, table))
        .sort((a, b) => b.position - a.position)
        .filter(({ text }) => (size += text.length) <= introduction.maxChars)
        .filter((passage) => amendedBy(passage, found) === undefined)
        .map((passage) => ({ ...passage, scores: {}, query }))
    }),
  )
  const known = new Set(found.map(({ id }) => id))
  return [...found, ...added.flat().filter(({ id }) => !known.has(id) && known.add(id))]
}
