import type { IngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import type { WebhookQueue } from '@plumbline/adapters/bullmq/webhook-queue'
import type { QueueBoard } from '@plumbline/adapters/bullmq/queue-board'
import type { DocumentFiles } from '@plumbline/adapters/files/document-files'
import {
  withTimeout,
  type ApiKeys,
  type AuditLog,
  type BatchStore,
  type AskQuotas,
  type CaseStore,
  type FeedbackStore,
  type Deliveries,
  type DeskLoad,
  type FlagStore,
  type PinnedAnswers,
  type Leases,
  type DueQueue,
  type OpsHistoryStore,
  type PageSessions,
  type Processes,
  type PendingDecisions,
  type Catalog,
  type StoreUsage,
  type RulesStore,
  type ScheduleStore,
  type SourceStore,
  type Spending,
  type ThreadStore,
  type FairShare,
  type WebhookStore,
} from '@plumbline/adapters/redis'
import type { Evidence, KeyRole, ModelCall } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index/passage-index'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import type { Registry } from 'prom-client'
import type { Settings } from './settings'

/** The caller of a request: `name` identifies a key in the ledger without revealing it. */
export type Caller = { tenant: string; roles: ReadonlySet<KeyRole>; name: string; access: readonly string[] | 'all' }

/** Limits a call to 800 ms, so that a caller learns within a second that a port is unresponsive. */
export const withGatewayTimeout = withTimeout(800)

/**
 * The available policies. `byName` always returns the same object for a policy or its held form, because the store
 * serializes each policy object only once.
 */
export type PolicyBook = {
  all: Policy[]
  /** Those that an ask may name. A collection, a rule or the default may choose any other one. */
  offered: Policy[]
  /** Refuses a policy that is not offered. */
  refuseOthers(name: string): void
  byName(name: string, isHeld?: boolean): Policy
}

/**
 * Waits for changes of one id. `beat` is the heartbeat of an open connection; `time` means that `withinMs` has passed.
 */
export type Listener = {
  next(withinMs?: number): Promise<'moved' | 'beat' | 'time' | 'closed'>
  /** Shares a read among concurrent listeners of one id. */
  share<T>(what: string, read: () => Promise<T>): Promise<T>
  close(): void
}
/** Wakes listeners when a run, a document or a desk changes. */
export type Hub = { listen(id: string, clientClosed?: AbortSignal): Listener; stop(): void }

/** Removes the passages of a document from the index. */
export type RemovePassages = (tenant: string, documentId: string, signal: AbortSignal) => Promise<void>

type Searched = {
  scope: Scope
  query: string
  limit: number
  signal: AbortSignal
  onCall(call: Pick<ModelCall, 'usage'>): void
}
/** Searches for passages in the same way as runs do, and reads the passages of a document. */
export type PassageSearch = {
  search(asked: Searched): Promise<{ passages: Evidence[]; degraded: string[] }>
  ofDocument: PassageIndex['passages']
}

/** The ports of the gateway's services. */
export type GatewayPorts = {
  store: RunStore
  apiKeys: ApiKeys
  /** Returns the number of keys that a tenant has in the settings, and how many of these are admins. */
  fixedKeys: (tenant: string) => { all: number; admins: number }
  /** Returns the caller of a key in the settings, by the name under which runs store the key. */
  fixedKey: (tenant: string, name: string) => Caller | undefined
  /** Returns the current name of an actor, so that one person with two ids is recognized as one. */
  currentActor: (actor: string) => string
  audit: AuditLog
  queue: JobQueue
  runHub: Hub
  threads: ThreadStore
  leases: Leases
  pendingDecisions: PendingDecisions
  feedback: FeedbackStore
  /** Due times of decided runs, recorded before the decision is committed, so that a crash loses none. */
  decided: DueQueue
  cases: CaseStore
  flags: FlagStore
  pinnedAnswers: PinnedAnswers
  spending: Spending
  fairShare: FairShare
  askQuotas: AskQuotas
  catalog: Catalog
  batches: BatchStore
  schedules: ScheduleStore
  sources: SourceStore
  documentHub: Hub
  /** Wakes listeners when the desk of a tenant changes. */
  deskHub: Hub
  files: DocumentFiles
  ingest: IngestQueue
  removePassages: RemovePassages
  passages: PassageSearch
  pages: PageDrawer
  history: OpsHistoryStore
  deskLoad: DeskLoad
  processes: Processes
  storeUsage: StoreUsage
  board: QueueBoard
  pageSessions: PageSessions
  policies: PolicyBook
  rules: RulesStore
  webhooks: WebhookStore
  deliveries: Deliveries
  webhookQueue: WebhookQueue
  settings: Settings
  registry: Registry
  log: Log
}
/** The injection token of the ports. */
export const PORTS = Symbol('GatewayPorts')
