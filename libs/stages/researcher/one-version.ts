import type { Passage } from '@plumbline/contracts'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index'

/** A document that was replaced between two searches shows only as it is now. */
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
