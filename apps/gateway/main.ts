import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { openModels } from '@plumbline/hosting/models/models'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { EnvError, readEnvs, WorkerEnv } from '@plumbline/platform/env'
import { createLog } from '@plumbline/platform/log'
import { createStop, stopOnSignals } from '@plumbline/platform/stop'
import { openGatewaySearch } from '@plumbline/stages/researcher/gateway-search'
import { openWhenNeeded } from './passages'

const start = async (): Promise<void> => {
  const { door: env, ...settings } = readGatewayEnv()
  const log = createLog({ app: 'gateway', level: env.LOG_LEVEL })
  const stop = createStop(log)
  stopOnSignals(stop, log, env.DRAIN_MS)

  const passages = openWhenNeeded(() => openPassageIndex(env))
  stop.add('index', () => passages.close())

  const [models, { CACHE: level }] = readEnvs([ModelsEnv, WorkerEnv.pick({ CACHE: true })])
  const gateway = await createGateway({
    ...settings,
    log,
    removePassages: passages.remove,
    openSearch: ({ redis, log }) =>
      openGatewaySearch({
        redis,
        log,
        level,
        open: async () => ({ index: await passages.opened(), models: await openModels(models, { redis, log }) }),
      }),
  })
  stop.add('gateway', () => gateway.close())
}

start().catch((error: unknown) => {
  if (!(error instanceof EnvError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
