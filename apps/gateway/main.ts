import { readFeatures } from '@plumbline/features/all'
import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { openModels } from '@plumbline/hosting/models/models'
import { ModelsEnv } from '@plumbline/hosting/models/models.env'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { OcrEnv, openPageDrawer } from '@plumbline/parsing'
import { EnvError, readEnv, readEnvs, WorkerEnv } from '@plumbline/platform/env'
import { createLog } from '@plumbline/platform/log'
import { createStop, stopOnSignals } from '@plumbline/platform/stop'
import { openTracing } from '@plumbline/platform/tracing/open-tracing'
import { TracingEnv } from '@plumbline/platform/tracing/tracing.env'
import { openGatewaySearch } from '@plumbline/stages/researcher/gateway-search'
import { openWhenNeeded } from './passages'

const start = async (): Promise<void> => {
  const { entry: env, ...settings } = readGatewayEnv()
  const { features } = readFeatures()
  const log = createLog({ app: 'gateway', level: env.LOG_LEVEL })
  const stop = createStop(log)
  stopOnSignals(stop, log, env.DRAIN_MS)
  stop.add('tracing', await openTracing(readEnv(TracingEnv), { app: 'gateway', log }))

  const passages = openWhenNeeded(() => openPassageIndex(env))
  stop.add('index', () => passages.close())

  const [models, { CACHE: level }, { OCR_LANGUAGES: languages }] = readEnvs([
    ModelsEnv,
    WorkerEnv.pick({ CACHE: true }),
    OcrEnv,
  ])
  const pages = openPageDrawer(env.DATA_DIR, languages)
  stop.add('page rendering', () => pages.close())
  const gateway = await createGateway({
    ...settings,
    features,
    log,
    removePassages: passages.remove,
    pages,
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
