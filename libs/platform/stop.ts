import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './log'

export type Stop = {
  /** Registered when the part starts. Steps run in reverse order. */
  add(name: string, close: () => Promise<unknown> | void): void
  /** Runs once, however often it is called. A step that hangs is skipped after its limit. */
  run(): Promise<void>
}

export const createStop = (log: Pick<Log, 'warn'>, limitMs = 30_000): Stop => {
  const steps: { name: string; close: () => Promise<unknown> | void }[] = []
  let running: Promise<void> | undefined
  const closeAll = async (): Promise<void> => {
    for (let step = steps.pop(); step; step = steps.pop()) {
      const { name, close } = step
      const done = new AbortController()
      const closed = Promise.resolve()
        .then(close)
        .catch((error: unknown) => log.warn({ err: error }, `stopping ${name} failed`))
        .finally(() => done.abort())
      const late = wait(limitMs, undefined, { signal: done.signal }).then(
        () => log.warn(`stopping ${name} took more than ${limitMs} ms: continuing`),
        () => {},
      )
      await Promise.race([closed, late])
    }
  }
  return {
    add: (name, close) => void steps.push({ name, close }),
    run: () => (running ??= closeAll()),
  }
}

const leftoverMs = 2_000
/** How long a stop may take beyond DRAIN_MS for handing back and closing, even without Redis. */
export const closingMs = 4_000
const impatientAfterMs = 1_000

/** Calls back when the parent process, connected by a channel, has ended. Returns a function to stop. */
export const whenStarterEnds = (onEnd: () => void): (() => void) => {
  if (process.connected === false) setImmediate(onEnd)
  process.once('disconnect', onEnd)
  // The channel alone must not keep the process alive.
  process.channel?.unref()
  return () => process.removeListener('disconnect', onEnd)
}

/**
 * Stops in order on the first signal or the end of the parent. The process ends when nothing is left open or its
 * time is up. One Ctrl-C may arrive twice, from the terminal and the parent, so only the same signal a second later
 * ends it at once.
 */
export const stopOnSignals = (stop: Pick<Stop, 'run'>, log: Pick<Log, 'info' | 'warn'>, drainMs: number): void => {
  let asked: { why: string; at: number } | undefined
  const endAnyway = (): void => {
    log.warn({ open: process.getActiveResourcesInfo() }, 'ended, but something was left open')
    process.exit(0)
  }
  const onSignal = (why: string): void => {
    if (asked?.why === why && Date.now() - asked.at > impatientAfterMs) process.exit(130)
    if (asked) return
    asked = { why, at: Date.now() }
    log.info(`${why}: stopping`)
    setTimeout(endAnyway, drainMs + closingMs).unref()
    void stop.run().then(() => setTimeout(endAnyway, leftoverMs).unref())
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal)
  whenStarterEnds(() => onSignal('parent process has ended'))
  // A closed terminal or pipe must not interrupt a stop.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
}
