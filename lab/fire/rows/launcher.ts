import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, startPrivateRedis, type PrivateRedis } from '@plumbline/platform'
import { seconds, type Row, type Scale } from '../row'
import { until } from '../wait'

const root = join(import.meta.dirname, '..', '..')
const drainMs = 3_000
/** The promised time is 5 s after the drain. In the short form, other work of the machine adds to it. */
const limitMs = { full: drainMs + 5_000, short: drainMs + 15_000 }

type FoundProcess = { pid: number; command: string }
const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // The process has ended meanwhile.
    return ''
  }
}
/** Finds the processes of a start by the DATA_DIR that all of them inherit. */
const processesOf = (dataDir: string): FoundProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).split('\0').includes(`DATA_DIR=${dataDir}`))
    .map((name) => ({ pid: Number(name), command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' ') }))

const kill = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended meanwhile.
  }
}

/** The model server never answers, so that work is in progress when the start is stopped. */
const openSilentModel = async () => {
  let waiting = 0
  const server = createServer((request, response) => {
    if (request.method === 'GET') return void response.end('{"data":[]}')
    waiting += 1
    response.once('close', () => (waiting -= 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    isAsked: () => waiting > 0,
    close: () => (server.closeAllConnections(), server.close()),
  }
}
type SilentModel = Awaited<ReturnType<typeof openSilentModel>>

const start = (command: string[], env: Record<string, string>) => {
  const [name = '', ...args] = command
  const child = spawn(name, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
  return { pid: child.pid ?? 0, output: () => output, unread: () => (child.stdout.destroy(), child.stderr.destroy()) }
}
type Started = ReturnType<typeof start>

const killing =
  (part: RegExp) =>
  (_: Started, all: FoundProcess[]): void => {
    const found = all.find(({ command }) => part.test(command))
    if (!found) throw new Error(`no process is ${part}`)
    kill(found.pid, 'SIGKILL')
  }
type EndCase = { name: string; terminal?: boolean; end(started: Started, all: FoundProcess[]): void }
const launcher: EndCase = { name: 'launcher killed', end: killing(/dist\/local\/main\.mjs/) }
const bootstrap: EndCase = { name: 'bootstrap killed', end: killing(/^\S*node tools\/bootstrap\/main\.mjs/) }
const npm: EndCase = { name: 'npm killed', end: killing(/^npm /) }
const terminal: EndCase = { name: 'terminal closed', terminal: true, end: ({ pid }) => kill(pid, 'SIGKILL') }
const interrupted: EndCase = {
  name: 'Ctrl-C with its output in a closed pipe',
  end: ({ pid, unread }) => {
    unread()
    process.kill(-pid, 'SIGINT')
  },
}

type Case = { way: EndCase; processes: boolean; redisGone: boolean }
const casesOf = (scale: Scale): Case[] => {
  const both = (way: EndCase, processes: boolean): Case[] =>
    [false, true].map((redisGone) => ({ way, processes, redisGone }))
  if (scale === 'short')
    return [
      { way: launcher, processes: true, redisGone: false },
      { way: terminal, processes: true, redisGone: true },
      { way: npm, processes: false, redisGone: true },
    ]
  return [true, false].flatMap((processes) =>
    [launcher, bootstrap, npm, terminal, interrupted].flatMap((way) => both(way, processes)),
  )
}

type LauncherSetup = { dir: string; port: number; redis: PrivateRedis; model: SilentModel; mostMs: number }

const lose = async ({ way, processes, redisGone }: Case, { dir, port, redis, model, mostMs }: LauncherSetup) => {
  const dataDir = join(dir, redisGone ? 'given' : 'private')
  const words = ['npm', 'start', ...(processes ? ['--', '--processes'] : [])]
  const started = start(way.terminal ? ['script', '-qfc', words.join(' '), '/dev/null'] : words, {
    DATA_DIR: dataDir,
    PORT: `${port}`,
    DRAIN_MS: `${drainMs}`,
    OPENAI_BASE_URL: model.url,
    ...(redisGone && { REDIS_URL: redis.url }),
  })
  try {
    await until('it is ready', () => started.output().includes('Plumbline is ready'), 60_000)
    await fetch(`http://127.0.0.1:${port}/v1/runs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"question":"What is the mass of Jupiter?"}',
    })
    await until('it is busy', model.isAsked, 15_000)
    const all = processesOf(dataDir)
    if (redisGone) await redis.kill()
    way.end(started, all)
    const ms = await until('all have ended', () => processesOf(dataDir).length === 0, mostMs).catch(() => mostMs)
    if (redisGone) await redis.start()
    return { ms, left: processesOf(dataDir).map(({ command }) => command) }
  } catch (error) {
    throw new Error(`${way.name}: ${String(error)}\n${started.output().slice(-500)}`, { cause: error })
  } finally {
    for (const { pid } of processesOf(dataDir)) kill(pid, 'SIGKILL')
  }
}

export const R17: Row = {
  id: 'R17',
  promise:
    'launcher killed, or its terminal closed, with Redis there and gone: no process of it alive after DRAIN_MS + 5 s; the next start works',
  run: async (scale) => {
    const place: LauncherSetup = {
      dir: await mkdtemp(join(tmpdir(), 'plumbline-fire-')),
      port: await freePort(),
      redis: await startPrivateRedis(),
      model: await openSilentModel(),
      mostMs: limitMs[scale],
    }
    try {
      const ends = []
      // Each start uses the data that the previous start left behind.
      for (const one of casesOf(scale)) ends.push({ ...one, ...(await lose(one, place)) })
      const late = ends.filter(({ left }) => left.length > 0)
      return {
        holds: late.length === 0,
        figures: {
          starts: ends.length,
          'longest end': seconds(Math.max(...ends.map(({ ms }) => ms))),
          DRAIN_MS: drainMs,
          late:
            late
              .map(({ way, redisGone, left }) => `${way.name}${redisGone ? ', Redis gone' : ''}: ${left.length} alive`)
              .join('; ') || 'none',
        },
      }
    } finally {
      place.model.close()
      await place.redis.stop()
      await rm(place.dir, { recursive: true, force: true })
    }
  },
}
