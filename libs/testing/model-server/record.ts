import type { IncomingHttpHeaders } from 'node:http'
import type { Kind } from './asked'
import type { TokenUsage } from './openai/say'

/** `reset`: the server cut it off, by script or because it closed. */
type Outcome = 'answered' | 'aborted' | 'reset'

export type RecordedRequest = {
  kind: Kind
  method: string
  path: string
  /** Without those that may hold a secret. */
  headers: Record<string, string>
  authorized: boolean
  body: unknown
  /** The name of the structured output or of the forced tool. */
  name: string | undefined
  model: string
  receivedAt: number
  finishedAt?: number
  outcome?: Outcome
  status?: number
  /** What the answer says it used, however much of it arrived. */
  usage?: TokenUsage
  /** Requests under way as this one came, itself included. */
  concurrency: number
  faults: string[]
}

const secrets = /authorization|api-?key|token|cookie|secret/i

export const withoutSecrets = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      secrets.test(name) || value === undefined ? [] : [[name, `${value}`]],
    ),
  )

export const isAuthorized = (headers: IncomingHttpHeaders): boolean =>
  Boolean(headers.authorization ?? headers['api-key'] ?? headers['x-api-key'])

type Condition = { holds: (requests: readonly RecordedRequest[]) => boolean; met: () => void }

export type Records = {
  readonly all: readonly RecordedRequest[]
  add(request: RecordedRequest): void
  /** Something about a request is different now. */
  changed(): void
  until(holds: Condition['holds']): Promise<void>
  clear(): void
}

export const createRecords = (): Records => {
  let all: RecordedRequest[] = []
  let waiting: Condition[] = []
  const changed = (): void => {
    const met = waiting.filter(({ holds }) => holds(all))
    waiting = waiting.filter((condition) => !met.includes(condition))
    for (const condition of met) condition.met()
  }
  return {
    get all() {
      return all
    },
    add: (request) => {
      all.push(request)
      changed()
    },
    changed,
    until: (holds) =>
      new Promise((resolve) => {
        waiting.push({ holds, met: resolve })
        changed()
      }),
    clear: () => {
      all = []
    },
  }
}
