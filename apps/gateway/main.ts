import { createGateway, readGatewayEnv } from '@plumbline/gateway'
import { openPassageIndex } from '@plumbline/hosting/passages'
import { EnvError } from '@plumbline/platform/env'
import { createLog } from '@plumbline/platform/log'
import { createStop, stopOnSignals } from '@plumbline/platform/stop'
import { openWhenNeeded } from './passages'

const start = async (): Promise<void> => {
  const { door: env, ...settings } = readGatewayEnv()
  const log = createLog({ app: 'gateway', level: env.LOG_LEVEL })
  const stop = createStop(log)
  stopOnSignals(stop, log)

  const passages = openWhenNeeded(() => openPassageIndex(env))
  stop.add('index', () => passages.close())

  const gateway = await createGateway({ ...settings, log, removePassages: passages.remove })
  stop.add('gateway', () => gateway.close())
}

start().catch((error: unknown) => {
  if (!(error instanceof EnvError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
