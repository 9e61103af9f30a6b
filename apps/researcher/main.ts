import { runStages } from '@plumbline/hosting'
import { researcherStage } from '@plumbline/stages/researcher/researcher.module'

await runStages('researcher', [researcherStage])
