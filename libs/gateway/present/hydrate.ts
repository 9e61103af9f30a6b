import type { Answer, Citation, CitedPassage, Evidence, Released } from '@plumbline/contracts'

export const cited = (citations: CitedPassage[], evidence: Evidence[]): Citation[] => {
  const byId = new Map(evidence.map((passage) => [passage.id, passage]))
  return citations.flatMap(({ n, passageId }) => {
    const passage = byId.get(passageId)
    if (!passage) return []
    const { documentId, title, headingPath, text, page, file, version, date, url, fetchedAt } = passage
    return [
      {
        n,
        passageId,
        documentId,
        title,
        headingPath,
        text,
        ...(page !== undefined && { page }),
        ...(file !== undefined && { file }),
        ...(version !== undefined && { version }),
        ...(date !== undefined && { date }),
        ...(url !== undefined && { url }),
        ...(fetchedAt !== undefined && { fetchedAt }),
      },
    ]
  })
}

/** The answer as it is shown: each cited id becomes the passage that carries it. */
export const hydrate = (answer: Released, evidence: Evidence[]): Answer => ({
  ...answer,
  citations: cited(answer.citations, evidence),
})
