import { questionOf } from '@plumbline/flow'
import type { Skills } from '@plumbline/skills'
import type { StageHandler } from '@plumbline/worker'
import { callOf } from '../call'

type Ports = { skills: Pick<Skills, 'plan'> }

export const plan =
  ({ skills }: Ports): StageHandler<'plan'> =>
  async (work) => {
    const { policy } = work.run
    const { logic, steps } = await skills.plan(
      { question: questionOf(work.run), maxSteps: policy.maxSteps },
      callOf(work, 'plan'),
    )
    return { outcome: 'planned', logic, steps: steps.slice(0, policy.maxSteps) }
  }
