import { runStages } from '@plumbline/hosting/host-stages'
import { routerStage } from '@plumbline/stages/router/router.stage'

await runStages('router', () => [routerStage])
