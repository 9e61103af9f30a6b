import { runStages } from '@plumbline/hosting'
import { generatorStage } from '@plumbline/stages/generator/generator.module'

await runStages('generator', [generatorStage])
