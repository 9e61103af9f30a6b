import type { Checked } from '@plumbline/contracts'
import type { EvidenceRow, Run, Step } from '../schema/run'
import { whenGraded } from './when-graded'

/**
 * Adds the marks of a check, such as `outdated`, to the cited passages. They stay: a later draft may cite the passage.
 */
export const markCitedPassages = (run: Run, evidence: Checked['evidence']): Step[] => {
  const { steps, draft } = run
  if (!evidence || !draft) return steps
  const isByCheck = whenGraded(run) === 'when-needed'
  const cited = new Set(draft.citations.map(({ passageId }) => passageId))
  const marked = (row: EvidenceRow): EvidenceRow => {
    if (!isByCheck) return evidence.sensitive && !row.grade ? { ...row, mark: { ...row.mark, sensitive: true } } : row
    return {
      ...row,
      mark: {
        ...row.mark,
        ...(evidence.sensitive && { sensitive: true }),
        ...(evidence.outdated.includes(row.id) && { outdated: true }),
        ...(evidence.lowAuthority.includes(row.id) && { lowAuthority: true }),
      },
    }
  }
  return steps.map((step) => ({
    ...step,
    evidence: step.evidence.map((row) => (cited.has(row.id) ? marked(row) : row)),
  }))
}

export const isSensitiveRow = ({ grade, mark }: EvidenceRow): boolean =>
  grade?.sensitive === true || mark?.sensitive === true

export const isUnjudged = ({ grade, mark }: EvidenceRow): boolean => !grade && !mark

export const staleReason = (cited: readonly EvidenceRow[]): { reason: string; outdated?: true } | null => {
  const rows = cited.filter(({ grade }) => !grade)
  if (rows.length === 0 || rows.length < cited.length) return null
  if (rows.every(({ mark }) => mark?.outdated))
    return { reason: 'All passages that the answer is based on are outdated.', outdated: true }
  return rows.every(({ mark }) => mark?.lowAuthority)
    ? { reason: 'All passages that the answer is based on come from sources of little authority.' }
    : null
}
