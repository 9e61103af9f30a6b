import type { Claim, Support } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import type { Skills } from '@plumbline/skills'
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

export const gradeAnswer =
  ({ skills }: Ports): StageHandler<'grade-answer'> =>
  async (work) => {
    const { run, task, evidence } = work
    const { question, draft } = run
    if (draft?.draft !== task.draft) throw new AppError('run.draft-missing', 'never')
    const { text, citations } = draft
    const claims = await skills.checkClaims({ question, text, citations, evidence }, callOf(work, 'checkClaims'))
    const steps = run.steps.map((step) => step.resolved ?? step.question)
    const rated = await skills.rateUsefulness({ question, steps, text, claims, evidence }, callOf(work, 'rateUsefulness'))
    const { parts, usefulness, confidence, tooBroad } = rated
    return { outcome: 'graded', claims, support: supportOf(claims), parts, usefulness, confidence, tooBroad }
  }
