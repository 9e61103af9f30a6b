import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { hostStages } from '@plumbline/hosting'
import { openPassageIndex } from '@plumbline/hosting/passages'
import { ingestor } from '@plumbline/ingestor'
import type { Log } from '@plumbline/platform/log'
import type { Stop } from '@plumbline/platform/stop'
import { allStages } from '@plumbline/stages/all'
import { appEnv, type LocalEnv } from './settings'

const stages = [...Object.values(allStages), ingestor]

/** The workers first and the gateway last, so that nothing is accepted before it can be done; stopped the other way round. */
export const runInOneProcess = async (env: LocalEnv, redisUrl: string, log: Log, stop: Stop): Promise<string> => {
  const own = appEnv(env, redisUrl)
  const settings = readGatewayEnv(own)
  const host = await hostStages({ app: 'local', stages, env: own, log, health: false })
  stop.add('workers', () => host.close())
  const index = await openPassageIndex(settings.door)
  stop.add('index', () => index.close())
  const gateway = await createGateway({
    ...settings,
    log,
    registry: host.registry,
    removePassages: (tenant, documentId, signal) => index.remove(tenant, documentId, signal),
  })
  stop.add('gateway', () => gateway.close())
  return gateway.url
}
