import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { stages } from '@plumbline/flow'
import { freePort } from '@plumbline/platform'
import type { Stop } from '@plumbline/platform/stop'
import { logLine } from './log-line'
import { runProcesses } from './processes'
import { appEnv, type LocalEnv } from './settings'

const workers = [...stages, 'ingestor']

const isReady = async (url: string, signal: AbortSignal): Promise<boolean> => {
  try {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(1_000)]) })).ok
  } catch {
    return false
  }
}

/** Every app as its own process, on the code that was built beside this one. */
export const runInProcesses = async (
  env: LocalEnv,
  redisUrl: string,
  stop: Stop,
  tell: (detail: string) => void,
  signal: AbortSignal,
): Promise<string> => {
  const dist = join(import.meta.dirname, '..')
  const host = env.HOST.includes(':') ? `[${env.HOST}]` : env.HOST
  const shared = { ...appEnv(env, redisUrl), LOG_LEVEL: process.env.LOG_LEVEL ?? 'info' }
  const ports = await Promise.all(workers.map(() => freePort()))
  const apps = [
    ...workers.map((name, at) => ({
      name,
      health: `http://127.0.0.1:${ports[at]}`,
      env: { ...shared, HOST: '127.0.0.1', HEALTH_PORT: `${ports[at]}` },
    })),
    { name: 'gateway', health: `http://${host}:${env.PORT}`, env: shared },
  ]
  const kept = runProcesses(
    apps.map(({ name, env: own }) => ({ name, script: join(dist, name, 'main.mjs'), env: own })),
    { print: (app, line) => void process.stdout.write(`${logLine(app, line)}\n`) },
  )
  const [gateway, ...rest] = [...kept].reverse()
  stop.add('workers', () => Promise.all(rest.map((app) => app.stop())))
  stop.add('gateway', () => gateway?.stop())
  let waiting = apps
  while (waiting.length > 0) {
    signal.throwIfAborted()
    const ready = await Promise.all(waiting.map(({ health }) => isReady(health, signal)))
    waiting = waiting.filter((_, at) => !ready[at])
    tell(`(${apps.length - waiting.length} of ${apps.length} are up)`)
    await wait(100, undefined, { signal })
  }
  return `http://${host}:${env.PORT}`
}
