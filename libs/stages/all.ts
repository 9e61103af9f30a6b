import type { Stage } from '@plumbline/flow'
import type { Wiring } from '@plumbline/hosting'
import { generatorStage } from './generator/generator.module'
import { graderStage } from './grader/grader.module'
import { plannerStage } from './planner/planner.module'
import { researcherStage } from './researcher/researcher.module'
import { routerStage } from './router/router.module'

/** Every stage there is: one that is missing here does not compile. */
export const allStages: Record<Stage, Wiring> = {
  router: routerStage,
  planner: plannerStage,
  researcher: researcherStage,
  generator: generatorStage,
  grader: graderStage,
}
