import { setTimeout as sleep } from 'node:timers/promises'

export type Clock = { now(): number; random(): number; wait(ms: number, signal: AbortSignal): Promise<void> }

/** The loop is needed, because a timer may fire slightly early. */
const waitUntil = async (at: number, signal: AbortSignal): Promise<void> => {
  for (let left = at - Date.now(); left > 0; left = at - Date.now())
    await sleep(Math.min(left, 2 ** 30), undefined, { signal })
}

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: async (ms, signal) => {
    try {
      await waitUntil(Date.now() + ms, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    }
  },
}
