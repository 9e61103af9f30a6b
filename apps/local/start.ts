import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readWordsOrExit } from '@plumbline/commands/command.mjs'
import { start as command } from '@plumbline/commands/rows/local.mjs'
import { clean } from '@plumbline/contracts'
import { EnvError } from '@plumbline/platform/env'
import { noteGateway } from '@plumbline/platform/gateway-file'
import { createLog } from '@plumbline/platform/log'
import { createStop, stopOnSignals } from '@plumbline/platform/stop'
import { parkExample } from './example'
import { modelServerFaults } from '@plumbline/hosting/models/servers'
import { findModelServer, hasModels, modelLines } from './models'
import { findRedis } from './redis'
import type { OpenGateway } from './in-one-process'
import { openSampleStore, readSample, removeMovedManuals, sampleTenant, sendSample, waitForSample } from './sample'
import { readSettings, type Settings } from './settings'
import { checkPort, lockDataFolder } from './start-checks'
import { Fault, logLine, readyScreen, stepReporter } from './terminal'

const root = join(import.meta.dirname, '..', '..')
const step = stepReporter(process.stdout)
const halt = new AbortController()
const lines = { write: (line: string) => void process.stdout.write(`${logLine('local', line.trimEnd())}\n`) }
const log = createLog({
  app: 'local',
  level: process.env.LOG_LEVEL ?? 'warn',
  ...(process.stdout.isTTY && { destination: lines }),
})

const errorText = (error: unknown): string => {
  const expected = error instanceof Fault || error instanceof EnvError
  return `\n${clean(expected ? error.message : error instanceof Error ? (error.stack ?? '') : String(error))}\n`
}
const { values } = readWordsOrExit(command, process.argv.slice(2))
const read = (): Settings => {
  try {
    return readSettings()
  } catch (error) {
    process.stderr.write(errorText(error))
    process.exit(1)
  }
}
const { env, models, documents, uses } = read()
const stop = createStop(log, env.DRAIN_MS + 10_000)

const start = async (): Promise<void> => {
  const since = Date.now()
  const release = lockDataFolder(env.DATA_DIR, `http://${env.HOST}:${env.PORT}`)
  stop.add('the lock of the data folder', release)
  await checkPort(env.HOST, env.PORT)
  // Look for a model server now, while the apps start.
  const modelServer = hasModels(models) ? null : findModelServer()
  const modelFaults = modelServerFaults(models)
  const newIndex = !existsSync(join(env.DATA_DIR, 'index.sqlite'))
  const redis = await step(
    'Starting Redis',
    () => findRedis(env.REDIS_URL, env.DATA_DIR, () => log.warn('Redis stopped; starting it again')),
    ({ owned }) => (owned ? 'Redis is running, private to this folder' : 'Redis answers at REDIS_URL'),
  )
  stop.add('Redis', () => redis.stop())
  halt.signal.throwIfAborted()
  const openGateway = await startWorkers(redis.url)
  halt.signal.throwIfAborted()
  await ingest(redis.url, newIndex)
  const url = await step('Opening the gateway', openGateway, (at) => `The gateway answers at ${at}`)
  const words = modelLines(models, await modelServer)
  stop.add('the file with the address of the gateway', noteGateway(env.DATA_DIR, url))
  process.stdout.write(
    readyScreen(
      {
        url,
        dataDir: relative(process.cwd(), env.DATA_DIR) || '.',
        uses: [...(await modelFaults).flatMap(({ says, fix }) => [says, `  ${fix}`]), ...words, ...uses],
        seconds: (Date.now() - since) / 1_000,
        keys: (await fetch(`${url}/v1/me`)).status === 401,
      },
      Boolean(process.stdout.isTTY && !process.env.NO_COLOR),
    ),
  )
}

const startWorkers = async (redisUrl: string): Promise<OpenGateway> => {
  if (!values.processes) {
    return step(
      'Starting the workers',
      async () => (await import('./in-one-process')).runInOneProcess(env, redisUrl, log, stop),
      () => 'The workers run in one process',
    )
  }
  return step(
    'Starting each worker as a separate process',
    async (tell) => (await import('./processes')).runInProcesses(env, redisUrl, stop, { tell, signal: halt.signal }),
    () => 'The workers run, each in a separate process',
  )
}

/** Adds the sample documents. Waits only until the sample can be searched, so that the start is faster. */
const ingest = async (redisUrl: string, afresh: boolean): Promise<void> => {
  const { sample, manuals } = readSample(root)
  const where = { tenant: sampleTenant(env.API_KEYS), lane: env.LANES[0] ?? 'main' }
  const sampleStore = await openSampleStore(redisUrl, { ...where, dataDir: env.DATA_DIR, documents, index: env })
  const sending = { afresh, signal: halt.signal }
  try {
    await step(
      'Indexing the sample collection',
      async (tell) => {
        const sent = await sendSample(sample, sampleStore, sending)
        await sendSample(manuals, sampleStore, sending)
        await removeMovedManuals(sample, manuals, sampleStore)
        await waitForSample(sample, sampleStore, { ...sending, tell })
        return sent
      },
      (sent) =>
        sent > 0
          ? `The sample collection is indexed: ${sent} ${sent === 1 ? 'document' : 'documents'}`
          : 'The sample collection is available',
    )
  } finally {
    await sampleStore.close()
  }
  if (!afresh) return
  await parkExample({ ...where, collection: sample.name, redisUrl, index: env }).catch((error: unknown) =>
    log.warn({ err: error }, 'the example of a held answer could not be created'),
  )
}

const leave = async (code: number): Promise<never> => {
  halt.abort()
  // If the start is still in progress, wait for it, because it may not have registered yet what must be stopped.
  await starting.catch(() => undefined)
  await stop.run()
  process.exit(code)
}
const onSignal = (): Promise<never> => {
  process.stdout.write('\n  Stopping …\n')
  return leave(0)
}
stopOnSignals({ run: onSignal }, log, env.DRAIN_MS)

const starting = start()
starting.catch((error: unknown) => {
  if (halt.signal.aborted) return
  process.stderr.write(errorText(error))
  void leave(1)
})
