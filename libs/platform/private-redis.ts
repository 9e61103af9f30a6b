import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type PrivateRedis = {
  url: string
  port: number
  dir: string
  pid: number
  stop(): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
}
type Options = { dir?: string; appendFsync?: 'everysec' | 'always' | 'no'; args?: string[]; port?: number }

const binaries = ['redis-server', 'valkey-server']
export const redisBinary = (): string | undefined =>
  binaries.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)

const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * Returns a free port below the range that the system uses for outgoing connections. Otherwise, such a connection could
 * occupy the port while Redis restarts.
 */
export const freePort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = 12_000 + Math.floor(Math.random() * 20_000)
    if (await canListen(port)) return port
  }
  throw new Error('no port between 12000 and 32000 is free on 127.0.0.1')
}

const ready = (child: ChildProcess, says: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer): void => {
      output += chunk.toString()
      if (output.includes(says)) resolve()
      if (output.length > 20_000) output = output.slice(-10_000)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`redis-server ended with code ${code}: ${output.trim().split('\n').slice(-3).join(' ')}`)),
    )
  })

export const endProcess = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  await Promise.race([exit, wait(5_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))])
  await exit
}

/** Kills Redis if our process dies. A small shell waits until the pipe from our process closes, then kills Redis. */
const endWithUs = (child: ChildProcess): void => {
  const watch = spawn('sh', ['-c', 'cat > /dev/null; kill "$0" 2> /dev/null', `${child.pid}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watch.on('error', () => undefined).unref()
  child.once('exit', () => watch.kill())
}

const argsOf = (port: number, dir: string, { appendFsync = 'everysec', args = [] }: Options): string[] => [
  '--port',
  `${port}`,
  '--bind',
  '127.0.0.1',
  '--dir',
  dir,
  '--appendonly',
  'yes',
  '--appendfsync',
  appendFsync,
  '--maxmemory-policy',
  'noeviction',
  '--save',
  '',
  ...args,
]

export const spawnReady = async (
  binary: string,
  args: string[],
  says = 'Ready to accept connections',
): Promise<ChildProcess> => {
  const child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  endWithUs(child)
  await ready(child, says)
  for (const output of [child.stdout, child.stderr]) output?.removeAllListeners('data').resume()
  return child
}

const onFreePort = async (
  binary: string,
  dir: string,
  options: Options,
  tries = 3,
): Promise<{ child: ChildProcess; port: number }> => {
  const port = options.port ?? (await freePort())
  try {
    return { child: await spawnReady(binary, argsOf(port, dir, options)), port }
  } catch (error) {
    const taken = error instanceof Error && error.message.includes('Address already in use')
    if (!taken || options.port !== undefined || tries === 1) throw error
    return onFreePort(binary, dir, options, tries - 1)
  }
}

/** Starts a Redis that writes an append-only file and evicts no data. Without `dir`, its data is deleted at the end. */
export const startPrivateRedis = async (options: Options = {}): Promise<PrivateRedis> => {
  const binary = redisBinary()
  if (!binary)
    throw new Error(
      'No redis-server or valkey-server on PATH. Install one (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis) or set REDIS_URL.',
    )
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'plumbline-redis-')))
  const clear = async (): Promise<void> => {
    if (!options.dir) await rm(dir, { recursive: true, force: true })
  }
  await mkdir(dir, { recursive: true })
  const first = await onFreePort(binary, dir, options).catch(async (error: unknown) => {
    await clear()
    throw error
  })
  const { port } = first
  let { child } = first
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    get pid() {
      return child.pid ?? 0
    },
    start: async () => {
      child = await spawnReady(binary, argsOf(port, dir, options))
    },
    kill: () => endProcess(child, 'SIGKILL'),
    stop: async () => {
      await endProcess(child, 'SIGTERM')
      await clear()
    },
  }
}
