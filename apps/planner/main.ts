import { runStages } from '@plumbline/hosting/host-stages'
import { plannerStage } from '@plumbline/stages/planner/planner.stage'

await runStages('planner', () => [plannerStage])
