import { runStages } from '@plumbline/hosting/host-stages'
import { graderStage } from '@plumbline/stages/grader/grader.stage'

await runStages('grader', () => [graderStage])
