import {
  type Ask,
  type Assignment,
  Availability,
  type BulkDecision,
  BulkResult,
  type BulkUndo,
  BulkUndone,
  type Decision,
  type Feedback,
  FeedbackList,
  type Filters,
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
  RunFeedback,
  RunList,
  type RunStatus,
  RunView,
  StreamEvent,
  type TakeWork,
  type ThreadFormat,
  ThreadList,
  type ThreadTitle,
  ThreadView,
  UsageView,
} from '@plumbline/contracts'
import { z } from 'zod'
import { batchesOf, schedulesOf } from './batches'
import { casesOf } from './cases'
import { collectionsOf, documentsOf } from './documents'
import { askedEvents, events, pause, type Watching, type WatchingAsk } from './events'
import { keysOf } from './keys'
import { operationsOf, rulesOf } from './operations'
import {
  type AtDesk,
  type Calls,
  callsOf,
  type Connection,
  type Keyed,
  type Page,
  send,
  type Signalled,
} from './request'
import { sourcesOf } from './sources'

type ClientOptions = { url: string; key?: string; fetch?: typeof globalThis.fetch }

type ReviewsAsked = {
  order?: ReviewOrder
  policy?: string
  collection?: string
  reason?: string
  /** The reviewer to whom the runs are assigned. `none` selects the runs that are assigned to nobody. */
  assignee?: string
  escalated?: boolean
  /** Each of these words must be the beginning of a word in the question, the asker, the metadata or the draft. */
  words?: string
  /** A time in ISO form. With it, the response contains the number of runs that are due before this time. */
  dueBy?: string
}
type RunsAsked = {
  status?: RunStatus
  policy?: string
  collection?: string
  reason?: string
  words?: string
  /** Selects runs by the time of their creation, in ISO form. `from` is inclusive, and `to` is exclusive. */
  from?: string
  to?: string
  threadId?: string
  metadata?: Filters
  minScore?: number
  maxScore?: number
  minCents?: number
  maxCents?: number
}

/** Omits events that this client does not know. A newer gateway may send such events. */
const KnownEvents: z.ZodType<LedgerPage> = LedgerPage.extend({
  items: z
    .array(z.object({ id: z.string(), event: z.unknown() }))
    .transform((items) => items.flatMap((item) => LedgerPage.shape.items.element.safeParse(item).data ?? [])),
})

type SeenBy = Signalled & { audience?: 'asker' | 'desk' }

const runsOf = ({ read, done }: Calls, connection: Connection) => ({
  /** With `waitSeconds`, the gateway responds only when the run has ended or this time is over. */
  ask: (ask: Ask, { waitSeconds, ...options }: Keyed & { waitSeconds?: number } = {}) => {
    const prefer = waitSeconds === undefined ? undefined : `wait=${waitSeconds}`
    return read(RunView, ['runs'], { method: 'POST', json: ask, headers: { prefer }, ...options })
  },
  askEvents: (ask: Ask, watching: WatchingAsk = {}): AsyncGenerator<StreamEvent> =>
    askedEvents(
      connection,
      { path: ['runs'], json: ask, schema: StreamEvent, isLast: ({ type }) => type === 'ended' },
      watching,
    ),
  run: (id: string, { signal, ...query }: SeenBy = {}) => read(RunView, ['runs', id], { query, signal }),
  /** Resolves when the run has ended or waits for review. `everyMs` is the time between two requests for the run. */
  untilEnded: async (id: string, { everyMs = 1_000, ...options }: SeenBy & { everyMs?: number } = {}) => {
    for (;;) {
      const run = await read(RunView, ['runs', id], { query: { audience: options.audience }, signal: options.signal })
      if (run.status !== 'queued' && run.status !== 'running') return run
      await pause(everyMs, options.signal)
      options.signal?.throwIfAborted()
    }
  },
  runs: ({ signal, metadata, ...query }: Page & RunsAsked = {}) =>
    read(RunList, ['runs'], { query: { ...query, metadata: metadata && JSON.stringify(metadata) }, signal }),
  /** Returns the events that the run has so far. It does not wait for further events. */
  ledger: (id: string, { signal, ...query }: SeenBy & { after?: string } = {}) =>
    read(KnownEvents, ['runs', id, 'ledger'], { query, signal }),
  events: (id: string, watching?: Watching): AsyncGenerator<StreamEvent> =>
    events(
      connection,
      { path: ['runs', id, 'events'], schema: StreamEvent, isLast: ({ type }) => type === 'ended' },
      watching,
    ),
  feedbackOf: (id: string, options?: Signalled) => read(RunFeedback, ['runs', id, 'feedback'], options),
  feedbacks: ({ signal, useful, ...query }: Page & { useful?: boolean } = {}) =>
    read(FeedbackList, ['feedback'], { query: { ...query, useful: useful?.toString() }, signal }),
  cancel: (id: string, options?: Signalled) => read(RunView, ['runs', id, 'cancel'], { method: 'POST', ...options }),
  feedback: (id: string, feedback: Feedback, options?: Signalled) =>
    done(['runs', id, 'feedback'], { method: 'POST', json: feedback, ...options }),
})

const reviewsOf = ({ read, done }: Calls) => ({
  reviews: ({ signal, escalated, ...query }: Page & ReviewsAsked = {}) =>
    read(ReviewList, ['reviews'], { query: { ...query, ...(escalated && { escalated: 'true' }) }, signal }),
  review: (runId: string, options?: Signalled) => read(ReviewView, ['reviews', runId], options),
  take: (runId: string, options?: AtDesk) => read(Lease, ['reviews', runId, 'take'], { method: 'POST', ...options }),
  putBack: (runId: string, options?: AtDesk) =>
    done(['reviews', runId, 'put-back'], { method: 'POST', keepalive: true, ...options }),
  /** Decides about a draft. An asker may call this method only if the policy of the run lets the asker decide. */
  decide: (runId: string, decision: Decision, options?: AtDesk) =>
    read(RunView, ['runs', runId, 'decision'], { method: 'POST', json: decision, ...options }),
  undo: (runId: string, decisionId: string, options?: AtDesk) =>
    done(['reviews', runId, 'undo'], { method: 'POST', json: { decisionId }, ...options }),
  assign: (runId: string, assignment: Assignment, options?: AtDesk) =>
    done(['reviews', runId, 'assign'], { method: 'POST', json: assignment, ...options }),
  /** Assigns drafts to this reviewer automatically until the time `until` of the response. Call again to continue. */
  takeWork: (work: TakeWork, options?: AtDesk) =>
    read(Availability, ['reviews', 'availability'], { method: 'PUT', json: work, ...options }),
  stopWork: (options?: AtDesk) => done(['reviews', 'availability'], { method: 'DELETE', ...options }),
  addNote: (runId: string, note: NewNote, options?: AtDesk) =>
    done(['reviews', runId, 'notes'], { method: 'POST', json: note, ...options }),
  decideMany: (decision: BulkDecision, options?: AtDesk) =>
    read(BulkResult, ['reviews', 'decisions'], { method: 'POST', json: decision, ...options }),
  undoMany: (undo: BulkUndo, options?: AtDesk) =>
    read(BulkUndone, ['reviews', 'undo'], { method: 'POST', json: undo, ...options }),
})

const threadsOf = ({ read, done }: Calls, connection: Connection) => ({
  threads: ({ signal, ...query }: Page = {}) => read(ThreadList, ['threads'], { query, signal }),
  thread: (id: string, options?: Signalled) => read(ThreadView, ['threads', id], options),
  exportThread: async (id: string, as: ThreadFormat, options?: Signalled): Promise<string> =>
    (await send(connection, ['threads', id, 'export'], { query: { as }, ...options })).text(),
  renameThread: (id: string, title: ThreadTitle, options?: Signalled) =>
    done(['threads', id], { method: 'PATCH', json: title, ...options }),
  /** Removes a thread. Its runs can still be listed until their retention ends. */
  removeThread: (id: string, options?: Signalled) => done(['threads', id], { method: 'DELETE', ...options }),
})

const pagesOf = ({ read }: Calls, connection: Connection) => ({
  me: (options?: Signalled) => read(Me, ['me'], options),
  /** Reports changes of these runs, of these documents and of the review desk, all over one connection. */
  live: ({ runs, documents, desk }: LiveTopics, watching?: Watching): AsyncGenerator<LiveHint> => {
    const query = { runs: runs.join(',') || undefined, documents: documents.join(',') || undefined, desk: `${desk}` }
    return events(connection, { path: ['live'], query, schema: LiveHint, isLast: () => false }, watching)
  },
  policies: (options?: Signalled) => read(PolicyList, ['policies'], options),
  usage: ({ signal, ...query }: { day?: string } & Signalled = {}) => read(UsageView, ['usage'], { query, signal }),
})

const clientOf = (connection: Connection) => {
  const calls = callsOf(connection)
  return {
    ...batchesOf(calls, connection),
    ...schedulesOf(calls),
    ...pagesOf(calls, connection),
    ...operationsOf(calls),
    ...casesOf(calls, connection),
    ...sourcesOf(calls),
    ...rulesOf(calls),
    ...keysOf(calls, connection),
    ...reviewsOf(calls),
    ...collectionsOf(calls),
    ...documentsOf(calls, connection),
    ...threadsOf(calls, connection),
    ...runsOf(calls, connection),
  }
}
export type Client = ReturnType<typeof clientOf>

export const createClient = ({ url, key, fetch = globalThis.fetch.bind(globalThis) }: ClientOptions): Client =>
  clientOf({ url, fetch, key })
