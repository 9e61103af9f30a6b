import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './log'

export type Stop = {
  /** Registers how to close a part of the process. Call `add` when the part starts. The newest part closes first. */
  add(name: string, close: () => Promise<unknown> | void): void
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
/**
 * After DRAIN_MS, the process has this time to put tasks back into the queue and to close its parts. The time is enough
 * even if Redis is unavailable.
 */
export const closingMs = 4_000
const impatientAfterMs = 1_000

/** Calls `onEnd` when the parent process ends. Returns a function that removes the listener. */
export const whenStarterEnds = (onEnd: () => void): (() => void) => {
  if (process.connected === false) setImmediate(onEnd)
  process.once('disconnect', onEnd)
  // Without `unref`, the open channel would keep this process alive.
  process.channel?.unref()
  return () => process.removeListener('disconnect', onEnd)
}

/**
 * Stops the app after a signal. A second signal ends the process at once, unless it arrives within a second, because
 * Ctrl-C may send two signals.
 */
export const stopOnSignals = (stop: Pick<Stop, 'run'>, log: Pick<Log, 'info' | 'warn'>, drainMs: number): void => {
  let asked: { why: string; at: number } | undefined
  const endAnyway = (): void => {
    log.warn({ open: process.getActiveResourcesInfo() }, 'stopped, but a connection or timer did not close in time')
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
  // Ignore write errors, because the terminal or pipe may close before the stop is complete.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
}
