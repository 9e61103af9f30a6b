import type { Stage } from '@plumbline/flow'
import type { ConsumerDefinition } from '@plumbline/hosting/define-stage'
import { generatorStage } from './generator/generator.stage'
import { graderStage } from './grader/grader.stage'
import { plannerStage } from './planner/planner.stage'
import { researcherStage } from './researcher/researcher.stage'
import { routerStage } from './router/router.stage'

export const allStages: Record<Stage, ConsumerDefinition> = {
  router: routerStage,
  planner: plannerStage,
  researcher: researcherStage,
  generator: generatorStage,
  grader: graderStage,
}
