import { runStages } from '@plumbline/hosting'
import { routerStage } from '@plumbline/stages/router/router.module'

await runStages('router', [routerStage])
