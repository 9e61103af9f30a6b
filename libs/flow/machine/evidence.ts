import type { Evidence, Overall } from '@plumbline/contracts'
import type { EvidenceRow, Run, Step } from '../map/run'
import type { Failed, Task } from '../map/task'
import type { Policy } from '../policy/policy'

const height = { low: 0, medium: 1, high: 2 } as const

/** What no grader was asked about passes. */
export const passes = (policy: Policy, { grade }: EvidenceRow): boolean =>
  !grade || (grade.relevant && height[grade.level] >= height[policy.passLevel])

export const passing = (policy: Policy, step: Step): EvidenceRow[] => step.evidence.filter((row) => passes(policy, row))

const allOutdated = (good: EvidenceRow[]): boolean => good.length > 0 && good.every(({ grade }) => grade?.outdated)

/** Why a step's evidence is poor, or null. `tried` are the rows of this try alone. */
export const whyPoor = (policy: Policy, step: Step, tried: EvidenceRow[], overall: Overall): string | null => {
  if (step.evidence.length === 0) return 'Nothing was found.'
  const enough = Math.max(1, policy.minRelevant)
  const good = passing(policy, step)
  if (good.length < enough) return `${good.length} of ${step.evidence.length} passages passed, ${enough} needed.`
  if (allOutdated(good)) return 'All that passed is outdated.'
  if (good.every(({ grade }) => grade?.authority === 'low'))
    return 'All that passed is from sources of little authority.'
  if (policy.poorWhen === 'too-few') return null
  const bad = tried.filter((row) => !passes(policy, row)).length
  return bad > 0 || overall !== 'correct' ? `${bad} passages did not pass; taken together: ${overall}.` : null
}

export const whatFailed = (policy: Policy, step: Step, reason: string): Failed => ({
  queries: step.queries,
  passageIds: step.evidence.filter((row) => !passes(policy, row)).map(({ id }) => id),
  reason,
  ...(allOutdated(passing(policy, step)) && { outdated: true }),
})

/** After a draft evidence is only added to: as long as this stays the same, so does what a draft can be written from. */
export const passedCount = ({ steps, policy }: Run): number =>
  steps.reduce((sum, step) => sum + passing(policy, step).length, 0)

const unique = (ids: string[]): string[] => [...new Set(ids)]

/** How many of the passages that were read are shown where none of them answers. */
const mostNearest = 3

/** What passed stands before what did not; sensitive passages are shown with an answer that rests on them or not at all. */
const shown = (policy: Policy, step: Step): string[] => {
  const bad = step.evidence.filter((row) => !passes(policy, row))
  return [...passing(policy, step), ...bad].filter(({ grade }) => !grade?.sensitive).map(({ id }) => id)
}

/** The best of what was read, each step's in turn. */
export const nearestIds = ({ policy, steps }: Run): string[] => {
  const ids = steps.map((step) => shown(policy, step))
  const longest = Math.max(0, ...ids.map(({ length }) => length))
  return unique(Array.from({ length: longest }, (_, at) => ids.flatMap((own) => own[at] ?? [])).flat()).slice(
    0,
    mostNearest,
  )
}

const stepIds = (run: Run, number: number | null | undefined): string[] =>
  run.steps.filter(({ step }) => step === number).flatMap((step) => passing(run.policy, step).map(({ id }) => id))
export const draftIds = (run: Run): string[] =>
  unique([
    ...run.steps.flatMap((step) => passing(run.policy, step).map(({ id }) => id)),
    ...(run.draft?.citations ?? []).map(({ passageId }) => passageId),
  ])

/** The ids of the passages a task's handler needs. */
export const evidenceFor = (run: Run, task: Task): string[] => {
  switch (task.kind) {
    case 'research':
      return task.failed?.passageIds ?? stepIds(run, run.steps.find(({ step }) => step === task.step)?.waitsFor)
    case 'grade-evidence':
      return task.passageIds
    case 'generate':
    case 'review':
      return draftIds(run)
    // That something is not told can only be judged by all that was read.
    case 'grade-answer':
      return unique([...draftIds(run), ...run.steps.flatMap(({ evidence }) => evidence.map(({ id }) => id))])
    case 'admit':
    case 'route':
    case 'plan':
    case 'reply':
      return []
  }
}

/** The passages with the scores and grades this run holds; where steps differ, the row that passed speaks. */
export const withGrades = (run: Run, passages: Evidence[]): Evidence[] => {
  const rows = run.steps.flatMap(({ evidence }) => evidence)
  return passages.map((passage) => {
    const own = rows.filter(({ id }) => id === passage.id)
    const row = own.find((candidate) => passes(run.policy, candidate)) ?? own[0]
    return row ? { ...passage, scores: row.scores, ...(row.grade && { grade: row.grade }) } : passage
  })
}
