import type { Evidence, Passage } from '@plumbline/contracts'
import { amendedBy } from '@plumbline/knowledge/retrieval'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index'

type Around = { each: number; maxChars: number }
type Joined = { evidence: Evidence; ids: string[] }

/** As many whole neighbours as fit, the nearer ones first, in the order of the document. */
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
  return { evidence: { ...own, text: kept.map(({ text }) => text).join('\n\n') }, ids: kept.map(({ id }) => id) }
}

/** Each passage with those around it; one that a better one has been joined with goes. */
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
