import {
  type Ask,
  CollectionList,
  type CollectionSettings,
  CollectionView,
  type Decision,
  DocumentList,
  DocumentView,
  type Feedback,
  Lease,
  type NewDocument,
  PolicyList,
  ReviewList,
  ReviewView,
  RunList,
  type RunStatus,
  RunView,
  type StreamEvent,
  UsageView,
} from '@plumbline/contracts'
import type { z } from 'zod'
import { events, type Watching } from './events'
import { read, send, type Connection } from './request'

type ClientOptions = { url: string; key?: string; fetch?: typeof globalThis.fetch }
type Signalled = { signal?: AbortSignal }
type Page = { cursor?: string; limit?: number } & Signalled
type Keyed = { idempotencyKey?: string } & Signalled
/** Who sits at the desk, where several people share a key. */
type AtDesk = { reviewer?: string } & Signalled
type NewDocumentInput = z.input<typeof NewDocument>

export type Client = ReturnType<typeof createClient>

const keyed = ({ idempotencyKey }: Keyed) => ({ 'idempotency-key': idempotencyKey })
const atDesk = ({ reviewer }: AtDesk) => ({ 'x-reviewer': reviewer })
const withSignal = ({ signal }: Signalled) => (signal ? { signal } : {})
const path = (...parts: string[]): string => `/v1/${parts.map(encodeURIComponent).join('/')}`

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
    read(RunView, send(connection, path('runs', id), { query: { audience: options.audience }, ...withSignal(options) })),
  runs: ({ cursor, limit, status, ...options }: Page & { status?: RunStatus } = {}): Promise<RunList> =>
    read(RunList, send(connection, path('runs'), { query: { cursor, limit, status }, ...withSignal(options) })),
  events: (id: string, watching: Watching = {}): AsyncGenerator<StreamEvent> =>
    events(connection, encodeURIComponent(id), watching),
  cancel: (id: string, options: Signalled = {}): Promise<RunView> =>
    read(RunView, send(connection, path('runs', id, 'cancel'), { method: 'POST', ...withSignal(options) })),
  feedback: async (id: string, feedback: Feedback, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('runs', id, 'feedback'), { method: 'POST', json: feedback, ...withSignal(options) })),
})

const documentsOf = (connection: Connection) => ({
  addDocument: (document: NewDocumentInput, options: Keyed = {}): Promise<DocumentView> =>
    read(
      DocumentView,
      send(connection, path('documents'), { method: 'POST', json: document, headers: keyed(options), ...withSignal(options) }),
    ),
  /** A .md or .txt file as it is. */
  uploadDocument: (
    file: Blob,
    filename: string,
    fields: { title?: string; collection?: string; metadata?: Record<string, string> } = {},
    options: Keyed = {},
  ): Promise<DocumentView> => {
    const form = new FormData()
    if (fields.title !== undefined) form.set('title', fields.title)
    if (fields.collection !== undefined) form.set('collection', fields.collection)
    if (fields.metadata !== undefined) form.set('metadata', JSON.stringify(fields.metadata))
    form.set('file', file, filename)
    return read(
      DocumentView,
      send(connection, path('documents'), { method: 'POST', form, headers: keyed(options), ...withSignal(options) }),
    )
  },
  document: (id: string, options: Signalled = {}): Promise<DocumentView> =>
    read(DocumentView, send(connection, path('documents', id), withSignal(options))),
  documents: ({ cursor, limit, collection, ...options }: Page & { collection?: string } = {}): Promise<DocumentList> =>
    read(DocumentList, send(connection, path('documents'), { query: { cursor, limit, collection }, ...withSignal(options) })),
  removeDocument: async (id: string, options: Signalled = {}): Promise<void> =>
    void (await send(connection, path('documents', id), { method: 'DELETE', ...withSignal(options) })),
  putCollection: (name: string, settings: CollectionSettings, options: Signalled = {}): Promise<CollectionView> =>
    read(CollectionView, send(connection, path('collections', name), { method: 'PUT', json: settings, ...withSignal(options) })),
  policies: (options: Signalled = {}): Promise<PolicyList> => read(PolicyList, send(connection, path('policies'), withSignal(options))),
  usage: ({ day, ...options }: { day?: string } & Signalled = {}): Promise<UsageView> =>
    read(UsageView, send(connection, path('usage'), { query: { day }, ...withSignal(options) })),
  collections: (options: Signalled = {}): Promise<CollectionList> =>
    read(CollectionList, send(connection, path('collections'), withSignal(options))),
})

const reviewsOf = (connection: Connection) => ({
  reviews: ({ cursor, limit, ...options }: Page = {}): Promise<ReviewList> =>
    read(ReviewList, send(connection, path('reviews'), { query: { cursor, limit }, ...withSignal(options) })),
  review: (runId: string, options: Signalled = {}): Promise<ReviewView> =>
    read(ReviewView, send(connection, path('reviews', runId), withSignal(options))),
  take: (runId: string, options: AtDesk = {}): Promise<Lease> =>
    read(
      Lease,
      send(connection, path('reviews', runId, 'take'), { method: 'POST', headers: atDesk(options), ...withSignal(options) }),
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

/** Everything the gateway offers, typed by the contracts. Works wherever there is `fetch`. */
export const createClient = ({ url, key, fetch = globalThis.fetch.bind(globalThis) }: ClientOptions) => {
  const connection: Connection = { url, fetch, ...(key !== undefined && { key }) }
  return { ...runsOf(connection), ...documentsOf(connection), ...reviewsOf(connection) }
}
