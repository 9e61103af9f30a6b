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
  /** SIGKILL and start again on the same port and data. */
  kill(): Promise<void>
  start(): Promise<void>
}
type Options = { dir?: string; appendFsync?: 'everysec' | 'always' | 'no'; args?: string[]; port?: number }

const binaries = ['redis-server', 'valkey-server']
export const redisBinary = (): string | undefined =>
  binaries.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0)

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })

const ready = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('Ready to accept connections')) resolve()
      if (output.length > 20_000) output = output.slice(-10_000)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`redis-server ended with code ${code}: ${output.trim().split('\n').slice(-3).join(' ')}`)))
  })

const ended = async (child: ChildProcess, signal: NodeJS.Signals): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  await Promise.race([exit, wait(5_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))])
  await exit
}

/** A Redis of our own: loopback only, append-only file, noeviction. Without `dir` its data goes when it stops. */
export const startPrivateRedis = async (options: Options = {}): Promise<PrivateRedis> => {
  const binary = redisBinary()
  if (!binary) throw new Error('No redis-server or valkey-server on PATH. Install one (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis) or set REDIS_URL.')
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'plumbline-redis-')))
  await mkdir(dir, { recursive: true })
  const port = options.port ?? (await freePort())
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', dir, '--appendonly', 'yes', '--appendfsync', options.appendFsync ?? 'everysec', '--maxmemory-policy', 'noeviction', '--save', '', ...(options.args ?? [])]
  let child: ChildProcess
  const start = async (): Promise<void> => {
    child = spawn(binary, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    await ready(child)
    child.stdout?.removeAllListeners('data').resume()
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    dir,
    get pid() {
      return child.pid ?? 0
    },
    start,
    kill: () => ended(child, 'SIGKILL'),
    stop: async () => {
      await ended(child, 'SIGTERM')
      if (!options.dir) await rm(dir, { recursive: true, force: true })
    },
  }
}
