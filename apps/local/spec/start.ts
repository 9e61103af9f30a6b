import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', '..', '..')

export type Started = {
  output(): string
  pid: number
  says(words: string | RegExp, withinMs?: number): Promise<void>
  /** Resolves to the exit code when the app ends. If `signal` is given, it is sent first. */
  ends(signal?: NodeJS.Signals): Promise<number | null>
}

const live = new Set<ChildProcess>()
process.on('exit', () => live.forEach((child) => child.kill('SIGKILL')))

/** Builds the programs if necessary. Spec files that call this at the same time build one after another. */
export const build = (): Promise<unknown> =>
  promisify(execFile)(process.execPath, [join(root, 'tools', 'bootstrap', 'main.mjs'), 'build'])

export const start = (app: string, args: string[], env: Record<string, string>): Started => {
  const child = spawn(process.execPath, [join(root, 'dist', app, 'main.mjs'), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  live.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => (live.delete(child), resolve(code))),
  )
  const has = (words: string | RegExp): boolean =>
    typeof words === 'string' ? output.includes(words) : words.test(output)
  return {
    output: () => output,
    pid: child.pid ?? 0,
    says: async (words, withinMs = 30_000) => {
      const until = Date.now() + withinMs
      while (!has(words)) {
        if (child.exitCode !== null)
          throw new Error(`${app} ended with ${child.exitCode} before it said ${words}:\n${output}`)
        if (Date.now() > until) throw new Error(`${app} did not say ${words} in ${withinMs} ms:\n${output}`)
        await wait(20)
      }
    },
    ends: async (signal) => {
      if (signal) child.kill(signal)
      const given = new AbortController()
      const late = wait(30_000, undefined, { signal: given.signal }).then(
        () => Promise.reject(new Error(`${app} still runs:\n${output}`)),
        () => null,
      )
      return Promise.race([ended, late]).finally(() => given.abort())
    },
  }
}
