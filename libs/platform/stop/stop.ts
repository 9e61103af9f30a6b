import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../log/log'

export type Stop = {
  /** Registered where the start happens; run in reverse order. */
  add(name: string, close: () => Promise<unknown> | void): void
  /** Runs once however often it is called; a step that hangs is left behind after its limit. */
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
        () => log.warn(`stopping ${name} took more than ${limitMs} ms; going on`),
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

/** The first SIGTERM or SIGINT stops in order, and the process ends when nothing is left open; a second one ends it at once. */
export const stopOnSignals = (stop: Pick<Stop, 'run'>, log: Pick<Log, 'info' | 'warn'>): void => {
  let asked = false
  const endAnyway = (): void => {
    log.warn({ open: process.getActiveResourcesInfo() }, 'stopped, but something was left open')
    process.exit(0)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(130)
    asked = true
    log.info(`${signal}: stopping`)
    void stop.run().then(() => setTimeout(endAnyway, leftoverMs).unref())
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
