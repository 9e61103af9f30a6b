import type { Claim, Evidence } from '@plumbline/contracts'

const sentence = (read: number, all: number): string =>
  `This summary is based on ${read} of the ${all} passages of the document.`
const pattern = /\s*This summary is based on (\d+) of the (\d+) passages of the document\.$/

/**
 * Returns how many passages of a document a summary read, and how many passages the document has. Passages read for a
 * summary have no scores. The last passage is always read, so its position gives the total.
 */
const readOf = (documentId: string, evidence: readonly Evidence[]): { read: number; all: number } => {
  const positions = evidence
    .filter((each) => each.documentId === documentId && Object.keys(each.scores).length === 0)
    .map(({ position }) => position)
  return { read: new Set(positions).size, all: Math.max(-1, ...positions) + 1 }
}

export const coverageOf = (evidence: readonly Evidence[]): string | null => {
  const { read, all } = readOf(evidence[0]?.documentId ?? '', evidence)
  return read < all ? sentence(read, all) : null
}

export const splitCoverage = (text: string): { written: string; coverage: string | null } => {
  const found = pattern.exec(text)
  return found ? { written: text.slice(0, found.index), coverage: found[0].trim() } : { written: text, coverage: null }
}

/**
 * Checks the statement of how much a summary covers. It is true if a document has the stated total of passages and at
 * least the stated number of them was read.
 */
export const coverageClaim = (coverage: string, evidence: readonly Evidence[]): Claim => {
  const [, read, all] = pattern.exec(coverage) ?? []
  const isTrue = [...new Set(evidence.map(({ documentId }) => documentId))].some((id) => {
    const known = readOf(id, evidence)
    return known.all === Number(all) && Number(read) <= known.read
  })
  return {
    text: coverage,
    kind: 'number',
    verdict: isTrue ? 'supported' : 'unsupported',
    reason: isTrue ? 'The stated numbers of passages are correct.' : 'The stated numbers of passages are wrong.',
    passageId: null,
  }
}
