import { runStages } from '@plumbline/hosting/host-stages'
import { researcherStage } from '@plumbline/stages/researcher/researcher.stage'

await runStages('researcher', () => [researcherStage])
