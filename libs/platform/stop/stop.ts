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
      const closed = Promise.resolve().then(close).catch((error: unknown) => log.warn({ err: error }, `stopping ${name} failed`)).finally(() => done.abort())
      const late = wait(limitMs, undefined, { signal: done.signal }).then(() => log.warn(`stopping ${name} took more than ${limitMs} ms; going on`), () => {})
      await Promise.race([closed, late])
    }
  }
  return {
    add: (name, close) => void steps.push({ name, close }),
    run: () => (running ??= closeAll()),
  }
}

/** The first SIGTERM or SIGINT stops in order, and so does the death of a parent that keeps a channel to us; a second signal ends the process at once. */
export const stopOnSignals = (stop: Pick<Stop, 'run'>, log: Pick<Log, 'info'>): void => {
  let asked = false
  const begin = (why: string): void => {
    asked = true
    log.info(`${why}: stopping`)
    void stop.run().then(() => process.exit(0))
  }
  const onSignal = (signal: NodeJS.Signals): void => (asked ? process.exit(130) : begin(signal))
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (!process.channel) return
  process.once('disconnect', () => (asked ? undefined : begin('the parent is gone')))
  process.channel.unref()
}
