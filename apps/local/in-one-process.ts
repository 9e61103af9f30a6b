import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { hostStages } from '@plumbline/hosting/host-stages'
import { openPassageIndex } from '@plumbline/hosting/passage-index'
import { ingestorWith } from '@plumbline/ingestor/ingestor'
import { OcrEnv, openPageDrawer } from '@plumbline/parsing'
import { readEnvs, WorkerEnv } from '@plumbline/platform/env'
import type { Log } from '@plumbline/platform/log'
import type { Stop } from '@plumbline/platform/stop'
import { openGatewaySearch } from '@plumbline/stages/researcher/gateway-search'
import { allStages } from '@plumbline/stages/all'
import { readFeatures } from '@plumbline/features/all'
import { appEnv, type LocalEnv, workerEnv } from './settings'

export type OpenGateway = () => Promise<string>

/** Runs the workers and the gateway in this process. The workers start first, so that no question waits for them. */
export const runInOneProcess = async (env: LocalEnv, redisUrl: string, log: Log, stop: Stop): Promise<OpenGateway> => {
  const own = appEnv(env, redisUrl)
  const settings = readGatewayEnv(own)
  const { features, workers, companions } = readFeatures(own)
  const stages = [...Object.values(allStages), ingestorWith(companions), ...workers]
  const [{ CACHE: level }, { OCR_LANGUAGES: languages }] = readEnvs([WorkerEnv.pick({ CACHE: true }), OcrEnv], own)
  const host = await hostStages({ app: 'local', stages, env: workerEnv(env, redisUrl), log, health: false })
  stop.add('workers', () => host.close())
  const index = await openPassageIndex(settings.entry)
  stop.add('index', () => index.close())
  const pages = openPageDrawer(settings.entry.DATA_DIR, languages)
  stop.add('page rendering', () => pages.close())
  return async () => {
    const gateway = await createGateway({
      ...settings,
      features,
      log,
      registry: host.registry,
      pages,
      removePassages: (tenant, documentId, signal) => index.remove(tenant, documentId, signal),
      openSearch: (shared) =>
        openGatewaySearch({ ...shared, level, open: async () => ({ index, models: host.models }) }),
    })
    stop.add('gateway', () => gateway.close())
    return gateway.url
  }
}
