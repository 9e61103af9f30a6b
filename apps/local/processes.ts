import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { stages } from '@plumbline/flow'
import { freePort } from '@plumbline/platform'
import { closingMs, type Stop } from '@plumbline/platform/stop'
import type { OpenGateway } from './in-one-process'
import { appEnv, type LocalEnv, workerEnv } from './settings'
import { logLine } from './terminal'

export type AppToRun = { name: string; script: string; env: Record<string, string | undefined> }
type Options = {
  print: (app: string, line: string) => void
  firstMs?: number
  mostMs?: number
  healthyMs?: number
  killAfterMs: number
}

/** Limits for restarts. The delay doubles after each crash and begins again at 0.5 s after a minute without a crash. */
const defaults = { firstMs: 500, mostMs: 30_000, healthyMs: 60_000 }
export const backOff = (deaths: number, { firstMs, mostMs }: { firstMs: number; mostMs: number }): number =>
  Math.min(firstMs * 2 ** Math.max(0, deaths - 1), mostMs)

const readLines = (child: ChildProcess, onLine: (line: string) => void): void => {
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on('line', onLine)
}

const ended = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with code ${code}`))
  })

const keep = (app: AppToRun, options: Required<Options>) => {
  const stopping = new AbortController()
  let child: ChildProcess | undefined
  const live = async (): Promise<void> => {
    let deaths = 0
    while (!stopping.signal.aborted) {
      const since = Date.now()
      // Use a separate process group, so that the app does not get Ctrl-C. The IPC channel shows if this process dies.
      child = spawn(process.execPath, [app.script], {
        env: app.env,
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        detached: true,
      })
      if (child.pid) options.print(app.name, `runs as process ${child.pid}`)
      readLines(child, (line) => options.print(app.name, line))
      const how = await ended(child)
      if (stopping.signal.aborted) return
      deaths = Date.now() - since > options.healthyMs ? 1 : deaths + 1
      const pause = backOff(deaths, options)
      options.print(app.name, `${how}; starting it again in ${pause / 1_000} s`)
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const done = live()
  return {
    stop: async (): Promise<void> => {
      stopping.abort()
      child?.kill('SIGTERM')
      const late = setTimeout(() => child?.kill('SIGKILL'), options.killAfterMs)
      await done
      clearTimeout(late)
    },
  }
}
type KeptProcess = ReturnType<typeof keep>

export const runProcesses = (apps: AppToRun[], options: Options): KeptProcess[] =>
  apps.map((app) => keep(app, { ...defaults, ...options }))

const workers = [...stages, 'ingestor']

const isReady = async (url: string, signal: AbortSignal): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(1_000)]) })).ok
  } catch {
    return false
  }
}

type Starting = { tell: (detail: string) => void; signal: AbortSignal }
type Checked = AppToRun & { health: string }

const allReady = async (apps: Checked[], { tell, signal }: Starting): Promise<void> => {
  let waiting = apps
  while (waiting.length > 0) {
    signal.throwIfAborted()
    const ready = await Promise.all(waiting.map(({ health }) => isReady(health, signal)))
    waiting = waiting.filter((_, at) => !ready[at])
    tell(`(${apps.length - waiting.length} of ${apps.length} are running)`)
    await wait(100, undefined, { signal })
  }
}

export const runInProcesses = async (
  env: LocalEnv,
  redisUrl: string,
  stop: Stop,
  starting: Starting,
): Promise<OpenGateway> => {
  const dist = join(import.meta.dirname, '..')
  const host = env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST
  const url = `http://${host}:${env.PORT}`
  const logged = { LOG_LEVEL: process.env.LOG_LEVEL ?? 'info' }
  const ports = await Promise.all(workers.map(() => freePort()))
  const appOf = (name: string, health: string, own: AppToRun['env']): Checked => ({
    ...{ name, health, script: join(dist, name, 'main.mjs'), env: own },
  })
  const kept: KeptProcess[] = []
  // Stop all apps at the same time. Questions that arrive in the meantime wait in Redis.
  stop.add('apps', () => Promise.all(kept.map((app) => app.stop())))
  const run = async (apps: Checked[]): Promise<void> => {
    starting.signal.throwIfAborted()
    const started = runProcesses(apps, {
      print: (app, line) => void process.stdout.write(`${logLine(app, line)}\n`),
      killAfterMs: env.DRAIN_MS + closingMs,
    })
    kept.push(...started)
    await allReady(apps, starting)
  }
  const portOf = (at: number): Record<string, string> => ({ HOST: '127.0.0.1', HEALTH_PORT: `${ports[at]}` })
  await run(
    workers.map((name, at) =>
      appOf(name, `http://127.0.0.1:${ports[at]}`, {
        ...workerEnv(env, redisUrl),
        ...logged,
        ...portOf(at),
      }),
    ),
  )
  return async () => {
    await run([appOf('gateway', url, { ...appEnv(env, redisUrl), ...logged })])
    return url
  }
}
