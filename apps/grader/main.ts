import { runStages } from '@plumbline/hosting'
import { graderStage } from '@plumbline/stages/grader/grader.module'

await runStages('grader', [graderStage])
