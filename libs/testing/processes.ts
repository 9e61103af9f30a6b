import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'

export type Proc = {
  name: string
  pid: number
  output: string[]
  alive(): boolean
  kill(signal: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
}

const live = new Set<ChildProcess>()
process.on('exit', () => live.forEach((child) => child.kill('SIGKILL')))

export const startProcess = (
  name: string,
  file: string,
  args: string[],
  env: Record<string, string>,
  nodeArgs: string[] = [],
): Proc => {
  const child = spawn(process.execPath, [...nodeArgs, '--enable-source-maps', file, ...args], {
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  live.add(child)
  child.once('exit', () => live.delete(child))
  const output: string[] = []
  const keep = (chunk: Buffer): void => {
    output.push(...chunk.toString().split('\n').filter(Boolean))
    if (output.length > 5_000) output.splice(0, output.length - 5_000)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return {
    name,
    pid: child.pid ?? 0,
    output,
    alive: () => child.exitCode === null && child.signalCode === null,
    kill: async (signal) => {
      const from = performance.now()
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit')
        child.kill(signal)
        await exit
      }
      return { code: child.exitCode, ms: performance.now() - from }
    },
  }
}

export const fleet = (count: number, start: (n: number) => Proc, backoffMs = 300) => {
  const members: Proc[] = []
  let deaths = 0
  let open = true
  let started = 0
  const fill = (): void => {
    if (!open) return
    for (const [slot, member] of members.entries()) {
      if (member.alive()) continue
      deaths++
      members[slot] = start(started++)
    }
  }
  for (let n = 0; n < count; n++) members.push(start(started++))
  const timer = setInterval(fill, backoffMs)
  return {
    members,
    deaths: () => deaths,
    stop: async (signal: NodeJS.Signals = 'SIGTERM') => {
      open = false
      clearInterval(timer)
      await Promise.all(members.map((member) => member.kill(signal)))
    },
  }
}

export const mostLinesASecond = ({ output }: Proc, from: number, to: number): number => {
  const bySecond = new Map<number, number>()
  for (const line of output) {
    const at = Number(/"time":(\d+)/.exec(line)?.[1] ?? 0)
    const second = Math.floor(at / 1_000)
    if (at >= from && at < to) bySecond.set(second, (bySecond.get(second) ?? 0) + 1)
  }
  return Math.max(0, ...bySecond.values())
}

export const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)

export const residentTreeMb = (pid: number): number => {
  try {
    return childrenOf(pid).reduce((sum, child) => sum + residentTreeMb(child), residentMb(pid))
  } catch {
    return 0
  }
}

/** Linux counts processor time in ticks of this length in ms. */
const msPerTick = 10

/** Returns the processor time of a process and all its child processes, even ended ones. NaN if it is unknown. */
export const cpuMsOf = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * msPerTick
    return childrenOf(pid).reduce((sum, child) => sum + cpuMsOf(child), own)
  } catch {
    return Number.NaN
  }
}

/** Measures the memory of a process repeatedly. `stop` ends the measuring and returns the maximum in MB. */
export const watchMemory = (pid: number, look: (pid: number) => number = residentMb): { stop(): number } => {
  let most = 0
  const timer = setInterval(() => {
    // After a failed test, the process may end before the measuring stops.
    if (existsSync(`/proc/${pid}`)) most = Math.max(most, look(pid))
  }, 100)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}
