import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { EnvError } from '@plumbline/platform/env'
import { noteGateway } from '@plumbline/platform/gateway-file'
import { createLog } from '@plumbline/platform/log'
import { createStop } from '@plumbline/platform/stop'
import { Fault } from './fault'
import { logLine } from './log-line'
import { findModelServer } from './model-server'
import { hasModels, modelWords } from './model-words'
import { onlyOne } from './only-one'
import { portIsFree } from './port'
import { findRedis } from './redis'
import { bringSample, readSample } from './sample'
import { openSampleDoor, sampleTenant } from './sample-door'
import { readyScreen } from './screen'
import { readSettings, type LocalEnv } from './settings'
import { stepsOn } from './steps'

const root = join(import.meta.dirname, '..', '..')
const step = stepsOn(process.stdout)
const halt = new AbortController()
// Beside the screen stand lines for people; whatever is not a terminal gets them as they are.
const lines = { write: (line: string) => void process.stdout.write(`${logLine('local', line.trimEnd())}\n`) }
const log = createLog({
  app: 'local',
  level: process.env.LOG_LEVEL ?? 'warn',
  ...(process.stdout.isTTY && { destination: lines }),
})
const stop = createStop(log, 40_000)

const start = async (): Promise<void> => {
  const since = Date.now()
  const { env, models, processes, uses } = readSettings(process.argv.slice(2))
  const release = onlyOne(env.DATA_DIR, `http://${env.HOST}:${env.PORT}`)
  stop.add('the mark of this start', release)
  await portIsFree(env.HOST, env.PORT)
  // Looked for while everything else starts.
  const modelServer = hasModels(models) ? null : findModelServer()
  const newIndex = !existsSync(join(env.DATA_DIR, 'index.sqlite'))
  const redis = await step(
    'Starting Redis',
    () => findRedis(env.REDIS_URL, env.DATA_DIR, () => log.warn('Redis ended; starting it again')),
    ({ owned }) => (owned ? 'Redis is running, private to this folder' : 'Redis answers at REDIS_URL'),
  )
  stop.add('Redis', () => redis.stop())
  halt.signal.throwIfAborted()
  const url = await startApps(env, redis.url, processes)
  halt.signal.throwIfAborted()
  await ingest(env, redis.url, newIndex)
  const words = modelWords(models, await modelServer)
  stop.add('the note of where the gateway is', noteGateway(env.DATA_DIR, url))
  process.stdout.write(
    readyScreen(
      {
        url,
        dataDir: relative(process.cwd(), env.DATA_DIR) || '.',
        uses: [...words, ...uses],
        seconds: (Date.now() - since) / 1_000,
        keys: env.API_KEYS !== undefined,
      },
      Boolean(process.stdout.isTTY && !process.env.NO_COLOR),
    ),
  )
}

const startApps = async (env: LocalEnv, redisUrl: string, processes: boolean): Promise<string> => {
  if (!processes) {
    return step(
      'Starting the gateway and the workers',
      async () => (await import('./in-one-process')).runInOneProcess(env, redisUrl, log, stop),
      () => 'Gateway and workers are up, in one process',
    )
  }
  return step(
    'Starting every app as its own process',
    async (tell) => (await import('./in-processes')).runInProcesses(env, redisUrl, stop, tell, halt.signal),
    () => 'Every app is up, each in its own process',
  )
}

const ingest = async (env: LocalEnv, redisUrl: string, afresh: boolean): Promise<void> => {
  const sample = readSample(root)
  const door = await openSampleDoor(redisUrl, {
    tenant: sampleTenant(env.API_KEYS),
    lane: env.LANES[0] ?? 'main',
    dataDir: env.DATA_DIR,
    collection: sample.name,
  })
  try {
    const said = (sent: number) =>
      sent > 0
        ? `The sample collection is indexed: ${sent} ${sent === 1 ? 'document' : 'documents'}`
        : 'The sample collection is here'
    await step(
      'Reading the sample collection',
      (tell) => bringSample(sample, door, { afresh, tell, signal: halt.signal }),
      said,
    )
  } finally {
    await door.close()
  }
}

const leave = async (code: number, words?: string): Promise<never> => {
  if (words) process.stdout.write(words)
  halt.abort()
  // What is being started must have its stop registered before anything is stopped.
  await starting.catch(() => undefined)
  await stop.run()
  process.exit(code)
}

let leaving = false
/** Ctrl-C may arrive twice, from the terminal and through whoever started us; only a second one a second later is impatience. */
let askedAt = 0
const onSignal = (): void => {
  if (leaving && Date.now() - askedAt > 1_000) process.exit(130)
  if (leaving) return
  leaving = true
  askedAt = Date.now()
  void leave(0, '\n  Stopping …\n')
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
// Whoever started us died without a word: what we started must not outlive it.
process.once('disconnect', () => onSignal())
process.channel?.unref()

const starting = start()
starting.catch((error: unknown) => {
  if (leaving) return
  leaving = true
  const expected = error instanceof Fault || error instanceof EnvError
  process.stderr.write(`\n${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`)
  void leave(1)
})
