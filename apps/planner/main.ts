import { runStages } from '@plumbline/hosting'
import { plannerStage } from '@plumbline/stages/planner/planner.module'

await runStages('planner', [plannerStage])
