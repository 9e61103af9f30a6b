import {
  type Ask,
  type Decision,
  type Feedback,
  Lease,
  PolicyList,
  ReviewList,
  ReviewView,
  RunList,
  type RunStatus,
  RunView,
  StreamEvent,
  UsageView,
} from '@plumbline/contracts'
import { collectionsOf, documentsOf } from './documents'
import { events, type Watching } from './events'
import { keyed, path, withSignal, type Keyed, type Page, type Signalled } from './options'
import { read, send, type Connection } from './request'

type ClientOptions = { url: string; key?: string; fetch?: typeof globalThis.fetch }
/** Who sits at the desk, where several people share a key. */
type AtDesk = { reviewer?: string } & Signalled

export type Client = ReturnType<typeof createClient>

const atDesk = ({ reviewer }: AtDesk) => ({ 'x-reviewer': reviewer })

const runsOf = (connection: Connection) => ({
  /** Takes a question in; with `waitSeconds` the answer is in the view when the run ends in time. */
  ask: (ask: Ask, options: Keyed & { waitSeconds?: number } = {}): Promise<RunView> => {
    const prefer = options.waitSeconds === undefined ? undefined : `wait=${options.waitSeconds}`
    return read(
      RunView,
      send(connection, path('runs'), {
        method: 'POST',
        json: ask,
        headers: { ...keyed(options), prefer },
        ...withSignal(options),
      }),
    )
  },
  run: (id: string, options: Signalled & { audience?: 'asker' | 'desk' } = {}): Promise<RunView> =>
    read(
      RunView,
      send(connection, path('runs', id), { query: { audience: options.audience }, ...withSignal(options) }),
    ),
  runs: ({ cursor, limit, status, ...options }: Page & { status?: RunStatus } = {}): Promise<RunList> =>
    read(RunList, send(connection, path('runs'), { query: { cursor, limit, status }, ...withSignal(options) })),
  events: (id: string, watching: Watching = {}): AsyncGenerator<StreamEvent> =>
    events(
      connection,
      { path: path('runs', id, 'events'), schema: StreamEvent, isLast: ({ type }) => type === 'ended' },
      watching,
    ),
  cancel: (id: string, options: Signalled = {}): Promise<RunView> =>
    read(RunView, send(connection, path('runs', id, 'cancel'), { method: 'POST', ...withSignal(options) })),
  feedback: async (id: string, feedback: Feedback, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('runs', id, 'feedback'), {
      method: 'POST',
      json: feedback,
      ...withSignal(options),
    })),
})

const reviewsOf = (connection: Connection) => ({
  reviews: ({ cursor, limit, ...options }: Page = {}): Promise<ReviewList> =>
    read(ReviewList, send(connection, path('reviews'), { query: { cursor, limit }, ...withSignal(options) })),
  review: (runId: string, options: Signalled = {}): Promise<ReviewView> =>
    read(ReviewView, send(connection, path('reviews', runId), withSignal(options))),
  take: (runId: string, options: AtDesk = {}): Promise<Lease> =>
    read(
      Lease,
      send(connection, path('reviews', runId, 'take'), {
        method: 'POST',
        headers: atDesk(options),
        ...withSignal(options),
      }),
    ),
  putBack: async (runId: string, options: AtDesk = {}): Promise<void> =>
    void (await send(connection, path('reviews', runId, 'put-back'), {
      method: 'POST',
      headers: atDesk(options),
      ...withSignal(options),
    })),
  /** Decides a parked run; an asker may where the policy lets the asker decide. */
  decide: (runId: string, decision: Decision, options: AtDesk = {}): Promise<RunView> =>
    read(
      RunView,
      send(connection, path('runs', runId, 'decision'), {
        method: 'POST',
        json: decision,
        headers: atDesk(options),
        ...withSignal(options),
      }),
    ),
})

const opsOf = (connection: Connection) => ({
  policies: (options: Signalled = {}): Promise<PolicyList> =>
    read(PolicyList, send(connection, path('policies'), withSignal(options))),
  usage: ({ day, ...options }: { day?: string } & Signalled = {}): Promise<UsageView> =>
    read(UsageView, send(connection, path('usage'), { query: { day }, ...withSignal(options) })),
})

/** Everything the gateway offers, typed by the contracts. Works wherever there is `fetch`. */
export const createClient = ({ url, key, fetch = globalThis.fetch.bind(globalThis) }: ClientOptions) => {
  const connection: Connection = { url, fetch, ...(key !== undefined && { key }) }
  return {
    ...runsOf(connection),
    ...documentsOf(connection),
    ...collectionsOf(connection),
    ...reviewsOf(connection),
    ...opsOf(connection),
  }
}
