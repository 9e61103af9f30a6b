import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until `holds` returns true. Returns the time in ms. After the time limit, throws an error with `what`. */
export const until = async (
  what: string,
  holds: () => Promise<boolean> | boolean,
  timeoutMs: number,
): Promise<number> => {
  const from = performance.now()
  for (;;) {
    if (await holds()) return performance.now() - from
    if (performance.now() - from > timeoutMs) throw new Error(`waited ${timeoutMs} ms for: ${what}`)
    await sleep(25)
  }
}
export const pause = (ms: number): Promise<void> => sleep(ms)
