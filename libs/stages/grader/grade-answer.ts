import type { Claim, Support } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { questionOf } from '@plumbline/flow'
import type { Call, Skills } from '@plumbline/skills'
import { summaryOf } from '@plumbline/skills/summarise/asked'
import type { StageHandler } from '@plumbline/worker'
import { callOf } from '../call'

type Ports = { skills: Pick<Skills, 'checkClaims' | 'rateUsefulness'> }

/** Style never counts; a draft that claims nothing has nothing to be held for here. */
const supportOf = (claims: Claim[]): Support => {
  const counting = claims.filter(({ kind }) => kind !== 'style')
  const supported = counting.filter(({ verdict }) => verdict === 'supported').length
  if (supported === counting.length) return 'full'
  return supported > 0 ? 'partial' : 'none'
}

/** Hears whether the offline rung checked anything: a check like that releases nothing. */
const hearing = (call: Call): { call: Call; isDegraded: () => boolean } => {
  let degraded = false
  const onCall: Call['onCall'] = (told) => {
    degraded ||= told.insteadBy === 'offline'
    call.onCall?.(told)
  }
  return { call: { ...call, onCall }, isDegraded: () => degraded }
}

export const gradeAnswer =
  ({ skills }: Ports): StageHandler<'grade-answer'> =>
  async (work) => {
    const { run, task, evidence } = work
    const { draft } = run
    const question = questionOf(run)
    if (draft?.draft !== task.draft) throw new AppError('run.draft-missing', 'never')
    const { text, citations, workings } = draft
    const heard = hearing(callOf(work, 'checkClaims'))
    const claims = await skills.checkClaims(
      { question, text, citations, evidence, ...(workings && { workings }) },
      heard.call,
    )
    const steps = run.steps.map((step) => step.resolved ?? step.question)
    const rated = await skills.rateUsefulness(
      { question, steps, text, claims, evidence },
      callOf(work, 'rateUsefulness'),
    )
    const { parts, usefulness, confidence } = rated
    // A summary is meant to be broad.
    const tooBroad = rated.tooBroad && summaryOf(question) === null
    return {
      outcome: 'graded',
      claims,
      support: supportOf(claims),
      parts,
      usefulness,
      confidence,
      tooBroad,
      ...(heard.isDegraded() && { degraded: true }),
    }
  }
