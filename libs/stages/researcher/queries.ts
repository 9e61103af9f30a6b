import type { Strategy } from '@plumbline/contracts'
import type { TaskOf } from '@plumbline/flow'
import type { Skills } from '@plumbline/skills'
import { offlineRewriteQuery } from '@plumbline/skills/rewrite-query/rewrite-query.offline'
import { nearCopy } from '@plumbline/skills/wording/near-copy'
import type { Work } from '@plumbline/worker'
import { callOf } from '../call'

export type Queries = { queries: string[]; strategy?: Strategy; reason?: string }
export type Failed = NonNullable<TaskOf<'research'>['failed']>
type Writers = Pick<Skills, 'writeQueries' | 'rewriteQuery'>

/** What a rewriter sees of what failed. */
const seenOfFailed = { passages: 3, characters: 200 }

/** One new query from what failed. A near-copy of an earlier one would find the same again: the offline rewriter never makes one. */
export const rewritten = async (
  skills: Writers,
  work: Work<'research'>,
  question: string,
  failed: Failed,
): Promise<Queries> => {
  const failedPassages = work.evidence
    .filter(({ id }) => failed.passageIds.includes(id))
    .slice(0, seenOfFailed.passages)
    .map(({ text }) => text.slice(0, seenOfFailed.characters))
  const input = { question, triedQueries: failed.queries, failedPassages, reason: failed.reason }
  const call = callOf(work, 'rewriteQuery')
  const first = await skills.rewriteQuery(input, call)
  const isCopy = [question, ...failed.queries].some((earlier) => nearCopy(first.query, earlier))
  const { query, strategy, reason } = isCopy ? await offlineRewriteQuery(input, call) : first
  return { queries: [query], strategy, reason }
}

/** The question itself, and as many queries beside it as the policy says. */
export const written = async (skills: Writers, work: Work<'research'>, question: string): Promise<Queries> => {
  const count = work.run.policy.queriesPerStep
  const more = count > 0 ? await skills.writeQueries({ question, count }, callOf(work, 'writeQueries')) : []
  return { queries: [...new Set([question, ...more.slice(0, count)])] }
}
