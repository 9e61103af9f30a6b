import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient, type Client } from '@plumbline/client'
import { stages } from '@plumbline/flow'
import { freePort, startPrivateRedis } from '@plumbline/platform'

const dist = join(import.meta.dirname, '..', '..', '..', 'dist')
const names = ['gateway', ...stages, 'ingestor']

export type Apps = {
  client: Client
  url: string
  lines: string[]
  lacking(): Promise<number>
  metrics(): Promise<string>
  /** Stops all apps with SIGTERM, so that they can still send their last spans. */
  stop(): Promise<void>
  close(): Promise<void>
}

export const startApps = async (env: Record<string, string>, key: string): Promise<Apps> => {
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-apps-'))
  const redis = await startPrivateRedis()
  const ports = await Promise.all(names.map(() => freePort()))
  const urlOf = (name: string): string => `http://127.0.0.1:${ports[names.indexOf(name)]}`
  const lines: string[] = []
  const children = new Map<string, ChildProcess>()
  let stopping = false
  // An app exits if it cannot reach Redis in time. Then start it again, as a supervisor would do.
  const start = (name: string, at: number): void => {
    const port = { [name === 'gateway' ? 'PORT' : 'HEALTH_PORT']: `${ports[at]}` }
    const own = { PATH: process.env['PATH'], REDIS_URL: redis.url, DATA_DIR: dir, HOST: '127.0.0.1', ...port, ...env }
    const child = spawn(process.execPath, [join(dist, name, 'main.mjs')], {
      env: own,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => lines.push(line))
    children.set(
      name,
      child.once('exit', () => stopping || start(name, at)),
    )
  }
  names.forEach(start)
  const stop = async (): Promise<void> => {
    stopping = true
    await Promise.all(
      [...children.values()].map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }),
    )
  }
  return {
    client: createClient({ url: urlOf('gateway'), key }),
    url: urlOf('gateway'),
    lines,
    lacking: async () => {
      const isReady = (name: string): Promise<boolean> =>
        fetch(`${urlOf(name)}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      return (await Promise.all(names.map(isReady))).filter((ready) => !ready).length
    },
    metrics: async () =>
      (await Promise.all(names.map(async (name) => (await fetch(`${urlOf(name)}/metrics`)).text()))).join('\n'),
    stop,
    close: async () => {
      await stop()
      await redis.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
