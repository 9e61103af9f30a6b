import type { Strategy } from '@plumbline/contracts'
import type { Step, TaskOf } from '@plumbline/flow'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { Work } from '@plumbline/worker'
import { callOf } from '../handler/skill-call'

export type Queries = { queries: string[]; strategy?: Strategy; reason?: string }
export type Failed = NonNullable<TaskOf<'research'>['failed']>
type Writers = Pick<Skills, 'rewriteQuery'>

const seenOfFailed = { passages: 3, characters: 200 }

export const retryQueries = async (
  skills: Writers,
  work: Work<'research'>,
  question: string,
  failed: Failed,
): Promise<Queries> => {
  const failedPassages = work.evidence
    .filter(({ id }) => failed.passageIds.includes(id))
    .slice(0, seenOfFailed.passages)
    .map(({ text, title, grade }) => ({
      text: text.slice(0, seenOfFailed.characters),
      title,
      ...(grade && { level: grade.level, reason: grade.reason }),
    }))
  const input = { question, triedQueries: failed.queries, failedPassages, reason: failed.reason }
  const found = await skills.rewriteQuery(input, callOf(work, 'rewriteQuery'))
  if (!found) return { queries: [], reason: 'no other query could be written' }
  const { query, strategy, reason } = found
  return { queries: [query], strategy, reason }
}

export const plannedQueries = (question: string, { planned = [] }: Pick<Step, 'planned'>): Queries => ({
  queries: [...new Set([question, ...planned])],
})
