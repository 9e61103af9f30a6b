import { questionOf } from '@plumbline/flow'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { StageHandler } from '@plumbline/worker'
import type { CardCatalog } from '../handler/collection-cards'
import { callOf } from '../handler/skill-call'

type Ports = { skills: Pick<Skills, 'plan'>; catalog: CardCatalog }

export const plan =
  ({ skills, catalog }: Ports): StageHandler<'plan'> =>
  async (work) => {
    const { run, signal } = work
    const { maxSteps, queriesPerStep } = run.policy
    const { logic, steps } = await skills.plan(
      {
        question: questionOf(run),
        collections: await catalog.cards(run.tenant, run.collections, signal),
        maxSteps,
        queries: queriesPerStep,
      },
      callOf(work, 'plan'),
    )
    return { outcome: 'planned', logic, steps: steps.slice(0, maxSteps) }
  }
