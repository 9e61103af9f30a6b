import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { openPassageIndex } from '@plumbline/hosting/passages'
import { EnvError } from '@plumbline/platform/env'
import { createLog } from '@plumbline/platform/log'
import { createStop, stopOnSignals } from '@plumbline/platform/stop'
import type { PassageIndex } from '@plumbline/ports/passage-index'

const start = async (): Promise<void> => {
  const { door: env, ...settings } = readGatewayEnv()
  const log = createLog({ app: 'gateway', level: env.LOG_LEVEL })
  const stop = createStop(log)
  stopOnSignals(stop, log)

  // The index is opened with the first document that is removed: most gateways never need it.
  let index: Promise<PassageIndex> | undefined
  const openIndex = (): Promise<PassageIndex> => openPassageIndex(env)
  stop.add('index', async () => (await index)?.close())

  const gateway = await createGateway({
    ...settings,
    log,
    removePassages: async (tenant, documentId, signal) => (await (index ??= openIndex())).remove(tenant, documentId, signal),
  })
  stop.add('gateway', () => gateway.close())
}

start().catch((error: unknown) => {
  if (!(error instanceof EnvError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
