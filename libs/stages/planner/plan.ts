import { questionOf } from '@plumbline/flow'
import { cardsFor } from '@plumbline/hosting/routing/lookup-cards'
import type { DescribedLookup } from '@plumbline/ports/lookup'
import type { Skills } from '@plumbline/skills/skill/skill'
import type { StageHandler } from '@plumbline/worker'
import type { CardCatalog } from '../handler/collection-cards'
import { callOf } from '../handler/skill-call'

type Ports = { skills: Pick<Skills, 'plan'>; catalog: CardCatalog; lookups?: readonly DescribedLookup[] }

export const plan =
  ({ skills, catalog, lookups = [] }: Ports): StageHandler<'plan'> =>
  async (work) => {
    const { run, signal } = work
    const { maxSteps, queriesPerStep } = run.policy
    const { logic, steps } = await skills.plan(
      {
        question: questionOf(run),
        collections: await catalog.cards(run.tenant, run.collections, signal),
        maxSteps,
        queries: queriesPerStep,
        // If the router chose data sources (lookups), the planner sees only those.
        lookups: cardsFor(lookups, run).filter(({ name }) => run.lookups?.includes(name) ?? true),
      },
      callOf(work, 'plan'),
    )
    return { outcome: 'planned', logic, steps: steps.slice(0, maxSteps) }
  }
