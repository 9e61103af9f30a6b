import { Agent, request, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

type Call = { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string; trickle?: string }
type Filled = { open: number; refused: number }

const longestPauseMs = 2_000
/** The number of calls in addition to the available slots, so that some calls are refused. */
const beyond = 20

export const fillLimits = (url: string, key: string) => {
  const agent = new Agent({ maxSockets: Infinity })
  const stopping = new AbortController()
  const kinds = new Map<string, Filled>()

  /** Resolves to the time of `Retry-After` in ms, or to 0 without this header. */
  const once = ({ method, path, headers, body, trickle }: Call, filled: Filled): Promise<number> =>
    new Promise((resolve) => {
      const { signal } = stopping
      const call = request(`${url}${path}`, {
        method,
        agent,
        signal,
        headers: { authorization: `Bearer ${key}`, ...headers },
      })
      const timer = trickle === undefined ? undefined : setInterval(() => call.write(trickle), 500)
      let retryMs = 0
      filled.open += 1
      call.on('response', (response: IncomingMessage) => {
        if (response.statusCode === 429) filled.refused += 1
        if (response.statusCode === 429) retryMs = Number(response.headers['retry-after'] ?? 1) * 1_000
        response.on('error', () => undefined).on('close', () => call.destroy())
        response.resume()
      })
      call.on('error', () => undefined)
      call.on('close', () => {
        clearInterval(timer)
        filled.open -= 1
        resolve(retryMs)
      })
      if (trickle === undefined) call.end(body)
      else call.write(body)
    })
  const again = async (call: () => Call, filled: Filled): Promise<void> => {
    while (!stopping.signal.aborted) {
      const retryMs = await once(call(), filled)
      await sleep(Math.min(Math.max(retryMs, 200), longestPauseMs))
    }
  }
  return {
    fill: (kind: string, places: number, call: () => Call): void => {
      const filled: Filled = { open: 0, refused: 0 }
      kinds.set(kind, filled)
      for (let n = 0; n < places + beyond; n += 1) void again(call, filled)
    },
    /** Returns whether enough calls of every kind were refused, so that this tenant has no free slot. */
    full: (): boolean => [...kinds.values()].every(({ refused }) => refused >= beyond),
    figures: (): string => [...kinds].map(([kind, { refused }]) => `${kind} ${refused}`).join(', '),
    stop: (): void => {
      stopping.abort()
      agent.destroy()
    },
  }
}
