import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Fault } from './terminal'

/**
 * Returns whether the process of another start still runs. On Linux, its command is checked too, because the system may
 * have given its id to another process.
 */
const isOurProcess = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== 'linux') return true
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('local')
  } catch {
    return false
  }
}

const holderOf = (file: string): { pid: number; url: string } | null => {
  try {
    const [pid, url = ''] = readFileSync(file, 'utf8').split(' ')
    return pid ? { pid: Number(pid), url } : null
  } catch {
    return null
  }
}

export const runningFrom = (dataDir: string): { pid: number; url: string } | null => {
  const holder = holderOf(join(dataDir, 'running'))
  return holder && holder.pid !== process.pid && isOurProcess(holder.pid) ? holder : null
}

/** Marks the data folder as used. Throws if another start uses it, because they must not share a Redis and an index. */
export const lockDataFolder = (dataDir: string, url: string): (() => void) => {
  const file = join(dataDir, 'running')
  const holder = runningFrom(dataDir)
  if (holder)
    throw new Fault(
      `Plumbline already runs from this folder: ${holder.url} (process ${holder.pid}).\nStop it first (Ctrl-C in its terminal, or kill ${holder.pid}), or start this one with its own data folder: DATA_DIR=.data-2 PORT=3001 npm start`,
    )
  writeFileSync(file, `${process.pid} ${url}`)
  return () => rmSync(file, { force: true })
}

type Holder = { pid: number; command: string }

const listening = '0A'
const mostOfCommand = 160
const readOr = <T>(read: () => T, other: T): T => {
  try {
    return read()
  } catch {
    // This process has ended, or it belongs to another user.
    return other
  }
}

/** Returns the sockets that listen on a port, in the form of the links in /proc. */
const socketsOn = (port: number): Set<string> => {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const rows = ['tcp', 'tcp6'].flatMap((table) =>
    readOr(() => readFileSync(`/proc/net/${table}`, 'utf8'), '').split('\n'),
  )
  const found = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(`:${hex}`) && state === listening)
  return new Set(found.map(([, , , , , , , , , inode]) => `socket:[${inode}]`))
}

const portHolder = (port: number): Holder | null => {
  const sockets = socketsOn(port)
  if (sockets.size === 0) return null
  const holds = (pid: string): boolean =>
    readOr(() => readdirSync(`/proc/${pid}/fd`), []).some((fd) =>
      sockets.has(readOr(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '')),
    )
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name))
  if (pid === undefined) return null
  const command = readOr(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '')
  return { pid: Number(pid), command: command.replaceAll('\0', ' ').trim().slice(0, mostOfCommand) }
}

const portTakenText = (host: string, port: number): string => {
  const holder = portHolder(port)
  const [by, stop] = holder
    ? [`process ${holder.pid}: ${holder.command}`, `Stop it (kill ${holder.pid})`]
    : ['another program.', 'Stop that program']
  return `Port ${port} on ${host} is taken by ${by}\n${stop}, or choose another port: PORT=${port === 65_535 ? 3_000 : port + 1} npm start`
}

const reasons: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: portTakenText,
  EACCES: (_, port) => `Port ${port} needs administrator rights.\nChoose a port above 1023: PORT=3000 npm start`,
  EADDRNOTAVAIL: (host) => `HOST=${host} is not an address of this machine.\nRemove HOST to listen on 127.0.0.1.`,
}

/** Rejects if the port is in use. Call it before anything starts, so that a failed start leaves nothing behind. */
export const checkPort = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const say = reasons[error.code ?? '']
      reject(say ? new Fault(say(host, port)) : error)
    })
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve()))
  })
