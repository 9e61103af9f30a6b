import type { Evidence, Passage } from '@plumbline/contracts'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index'

type Around = { each: number; maxChars: number }

/** As many whole neighbours as fit, the nearer ones first, in the order of the document. */
const joinedText = (own: Passage, around: readonly Passage[], maxChars: number): string => {
  const kept = [own]
  let size = own.text.length
  const near = around.filter(({ position }) => position !== own.position).sort((a, b) => Math.abs(a.position - own.position) - Math.abs(b.position - own.position))
  for (const passage of near) {
    size += passage.text.length + 2
    if (size > maxChars) break
    kept.push(passage)
  }
  return kept.sort((a, b) => a.position - b.position).map(({ text }) => text).join('\n\n')
}

/** Each passage with those around it; one that stands in the text of a better one goes. */
export const withNeighbours = async (index: PassageIndex, scope: Scope, found: Evidence[], aroundOf: (collection: string) => Around, signal: AbortSignal): Promise<Evidence[]> => {
  const joined = await Promise.all(
    found.map(async (evidence) => {
      const { each, maxChars } = aroundOf(evidence.collection)
      if (each === 0) return evidence
      const { documentId, position } = evidence
      const around = await index.passages(scope, documentId, { from: position - each, to: position + each }, signal)
      return { ...evidence, text: joinedText(evidence, around.filter(({ version }) => version === evidence.version), maxChars) }
    }),
  )
  return joined.filter((evidence, at) => {
    const own = found[at]?.text ?? ''
    return !joined.slice(0, at).some((better) => better.documentId === evidence.documentId && better.text !== own && better.text.includes(own))
  })
}
