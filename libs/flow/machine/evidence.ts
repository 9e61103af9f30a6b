import type { Evidence, Overall } from '@plumbline/contracts'
import type { EvidenceRow, Run, Step } from '../schema/run'
import type { Task } from '../schema/task'
import type { Failed } from '../schema/task-fields'
import { isSensitiveRow } from './marks'
import type { Policy } from '../policy/policy'

const height = { low: 0, medium: 1, high: 2 } as const

export const passes = (policy: Policy, { grade }: EvidenceRow): boolean =>
  !grade || (grade.relevant && height[grade.level] >= height[policy.passLevel])

export const passingEvidence = (policy: Policy, step: Step): EvidenceRow[] =>
  step.evidence.filter((row) => passes(policy, row))

const allOutdated = (good: EvidenceRow[]): boolean => good.length > 0 && good.every(({ grade }) => grade?.outdated)

/** Returns why the evidence of a step is poor, or null if it is good. `tried`: the evidence of the latest try. */
export const poorReason = (policy: Policy, step: Step, tried: EvidenceRow[], overall: Overall): string | null => {
  if (step.evidence.length === 0) return 'Nothing was found.'
  const enough = Math.max(1, policy.minRelevant)
  const good = passingEvidence(policy, step)
  if (good.length < enough)
    return `${good.length} of ${step.evidence.length} passages passed; the policy requires ${enough}.`
  if (allOutdated(good)) return 'All passages that passed are outdated.'
  if (good.every(({ grade }) => grade?.authority === 'low'))
    return 'All passages that passed come from sources of little authority.'
  if (policy.poorWhen === 'too-few') return null
  const bad = tried.filter((row) => !passes(policy, row)).length
  return bad > 0 || overall !== 'correct'
    ? `${bad} ${bad === 1 ? 'passage' : 'passages'} did not pass. The evidence as a whole is graded ${overall}.`
    : null
}

export const failureSummary = (policy: Policy, step: Step, reason: string): Failed => ({
  queries: step.queries,
  passageIds: step.evidence.filter((row) => !passes(policy, row)).map(({ id }) => id),
  reason,
  ...(allOutdated(passingEvidence(policy, step)) && { outdated: true }),
})

/**
 * Returns how many passages passed grading. With a draft, passages are only added, so an equal number means equal
 * passages.
 */
export const passedCount = ({ steps, policy }: Run): number =>
  steps.reduce((sum, step) => sum + passingEvidence(policy, step).length, 0)

const unique = (ids: string[]): string[] => [...new Set(ids)]

const mostNearest = 3

/** Leaves out sensitive passages, because only an answer that cites a sensitive passage may show it. */
const idsToShow = (policy: Policy, step: Step): string[] => {
  const bad = step.evidence.filter((row) => !passes(policy, row))
  return [...passingEvidence(policy, step), ...bad].filter((row) => !isSensitiveRow(row)).map(({ id }) => id)
}

export const nearestIds = ({ policy, steps }: Run): string[] => {
  const ids = steps.map((step) => idsToShow(policy, step))
  const longest = Math.max(0, ...ids.map(({ length }) => length))
  return unique(Array.from({ length: longest }, (_, at) => ids.flatMap((own) => own[at] ?? [])).flat()).slice(
    0,
    mostNearest,
  )
}

const stepIds = (run: Run, number: number | null | undefined): string[] =>
  run.steps
    .filter(({ step }) => step === number)
    .flatMap((step) => passingEvidence(run.policy, step).map(({ id }) => id))
export const draftIds = (run: Run): string[] =>
  unique([
    ...run.steps.flatMap((step) => passingEvidence(run.policy, step).map(({ id }) => id)),
    ...[...(run.draft?.citations ?? []), ...(run.shown?.citations ?? [])].map(({ passageId }) => passageId),
  ])

export const evidenceFor = (run: Run, task: Task): string[] => {
  switch (task.kind) {
    case 'research':
      return task.failed?.passageIds ?? stepIds(run, run.steps.find(({ step }) => step === task.step)?.waitsFor)
    case 'grade-evidence':
      return task.passageIds
    case 'generate':
    case 'review':
      return draftIds(run)
    // The check gets all found passages, so that it can confirm that the documents contain no answer.
    case 'grade-answer':
      return unique([...draftIds(run), ...run.steps.flatMap(({ evidence }) => evidence.map(({ id }) => id))])
    case 'admit':
    case 'route':
    case 'plan':
    case 'reply':
      return []
  }
}

/** Adds the stored scores and grades to the passages. Of different grades for a passage, the passing one is used. */
export const withGrades = (run: Run, passages: Evidence[]): Evidence[] => {
  const rows = run.steps.flatMap(({ evidence }) => evidence)
  return passages.map((passage) => {
    const own = rows.filter(({ id }) => id === passage.id)
    const row = own.find((candidate) => passes(run.policy, candidate)) ?? own[0]
    return row ? { ...passage, scores: row.scores, ...(row.grade && { grade: row.grade }) } : passage
  })
}
