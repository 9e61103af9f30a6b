import { runStages } from '@plumbline/hosting/host-stages'
import { generatorStage } from '@plumbline/stages/generator/generator.stage'

await runStages('generator', () => [generatorStage])
