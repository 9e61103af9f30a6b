import {
  type Ask,
  type Assignment,
  type BulkDecision,
  BulkResult,
  type Decision,
  type Feedback,
  Lease,
  LedgerPage,
  LiveHint,
  type LiveTopics,
  Me,
  type NewNote,
  PolicyList,
  ReviewList,
  type ReviewOrder,
  ReviewView,
  RunList,
  type RunStatus,
  RunView,
  StreamEvent,
  ThreadList,
  type ThreadTitle,
  ThreadView,
  UsageView,
} from '@plumbline/contracts'
import { rulesOf } from './rules'
import { casesOf, flagsOf } from './cases'
import { collectionsOf, documentsOf, passagesOf } from './documents'
import { events, type Watching } from './events'
import { operationsOf } from './ops'
import { type Connection, keyed, type Keyed, type Page, path, read, send, type Signalled, withSignal } from './request'

type ClientOptions = { url: string; key?: string; fetch?: typeof globalThis.fetch }
/** Who sits at the desk, where several people share a key. */
type AtDesk = { reviewer?: string } & Signalled

type ReviewsAsked = {
  order?: ReviewOrder
  policy?: string
  collection?: string
  reason?: string
  /** A name, or `none`. */
  assignee?: string
}
type RunsAsked = {
  status?: RunStatus
  policy?: string
  collection?: string
  reason?: string
  /** Words of the question. */
  words?: string
  /** Created from and before these times, in ISO form. */
  from?: string
  to?: string
}

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
  runs: ({ signal, ...query }: Page & RunsAsked = {}): Promise<RunList> =>
    read(RunList, send(connection, path('runs'), { query, ...withSignal({ signal }) })),
  /** What a run's ledger holds beyond a place of it, without waiting for more. */
  ledger: (
    id: string,
    { after, audience, ...options }: Signalled & { after?: string; audience?: 'asker' | 'desk' } = {},
  ): Promise<LedgerPage> =>
    read(
      LedgerPage,
      send(connection, path('runs', id, 'ledger'), { query: { after, audience }, ...withSignal(options) }),
    ),
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
  reviews: ({ signal, ...query }: Page & ReviewsAsked = {}): Promise<ReviewList> =>
    read(ReviewList, send(connection, path('reviews'), { query, ...withSignal({ signal }) })),
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
      keepalive: true,
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

/** How reviewers share their work. */
const deskOf = (connection: Connection) => ({
  /** Takes back a decision that waits. */
  undo: async (runId: string, decisionId: string, options: AtDesk = {}): Promise<void> =>
    void (await send(connection, path('reviews', runId, 'undo'), {
      method: 'POST',
      json: { decisionId },
      headers: atDesk(options),
      ...withSignal(options),
    })),
  assign: async (runId: string, assignment: Assignment, options: AtDesk = {}): Promise<void> =>
    void (await send(connection, path('reviews', runId, 'assign'), {
      method: 'POST',
      json: assignment,
      headers: atDesk(options),
      ...withSignal(options),
    })),
  addNote: async (runId: string, note: NewNote, options: AtDesk = {}): Promise<void> =>
    void (await send(connection, path('reviews', runId, 'notes'), {
      method: 'POST',
      json: note,
      headers: atDesk(options),
      ...withSignal(options),
    })),
  decideMany: (decision: BulkDecision, options: AtDesk = {}): Promise<BulkResult> =>
    read(
      BulkResult,
      send(connection, path('reviews', 'decisions'), {
        method: 'POST',
        json: decision,
        headers: atDesk(options),
        ...withSignal(options),
      }),
    ),
})

const threadsOf = (connection: Connection) => ({
  threads: ({ signal, ...query }: Page = {}): Promise<ThreadList> =>
    read(ThreadList, send(connection, path('threads'), { query, ...withSignal({ signal }) })),
  thread: (id: string, options: Signalled = {}): Promise<ThreadView> =>
    read(ThreadView, send(connection, path('threads', id), withSignal(options))),
  renameThread: async (id: string, title: ThreadTitle, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('threads', id), { method: 'PATCH', json: title, ...withSignal(options) })),
  /** The thread is forgotten; its runs stay in the list until their retention is over. */
  removeThread: async (id: string, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('threads', id), { method: 'DELETE', ...withSignal(options) })),
})

const opsOf = (connection: Connection) => ({
  me: (options: Signalled = {}): Promise<Me> => read(Me, send(connection, path('me'), withSignal(options))),
  /** Told of every change of these topics until it is aborted; one connection for all that a page shows. */
  live: ({ runs, documents, desk }: LiveTopics, watching: Watching = {}): AsyncGenerator<LiveHint> =>
    events(
      connection,
      {
        path: path('live'),
        query: { runs: runs.join(',') || undefined, documents: documents.join(',') || undefined, desk: `${desk}` },
        schema: LiveHint,
        isLast: () => false,
      },
      watching,
    ),
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
    ...passagesOf(connection),
    ...collectionsOf(connection),
    ...reviewsOf(connection),
    ...deskOf(connection),
    ...threadsOf(connection),
    ...opsOf(connection),
    ...operationsOf(connection),
    ...rulesOf(connection),
    ...casesOf(connection),
    ...flagsOf(connection),
  }
}
