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
  type KeptAnswers,
  type Leases,
  type Looks,
  type OpsHistoryStore,
  type PageSessions,
  type Processes,
  type PendingDecisions,
  type Catalog,
  type Room,
  type RulesStore,
  type ScheduleStore,
  type SourceStore,
  type Spending,
  type ThreadStore,
  type Turns,
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

/** Who is asking: `name` tells keys apart in the ledger without giving one away. */
export type Caller = { tenant: string; roles: ReadonlySet<KeyRole>; name: string; access: readonly string[] | 'all' }

/** Whoever waits at the gateway hears within a second that a port is silent. */
export const promptly = withTimeout(800)

/**
 * The policies that may be chosen here. `named` gives one object for each, and one for its held form: the store packs the text of a
 * policy object once.
 */
export type PolicyBook = { all: Policy[]; named(name: string, isHeld?: boolean): Policy }

/** `beat`: by the clock of the hub, as often as an open connection has to hear something; `time`: the time given here is over. */
export type Listener = {
  next(withinMs?: number): Promise<'moved' | 'beat' | 'time' | 'closed'>
  /** What several listeners of one id read at the same time is read once. */
  share<T>(what: string, read: () => Promise<T>): Promise<T>
  close(): void
}
/** Wakes whoever waits for a run or a document when it has come further, or for a desk when it shows something else. */
export type Hub = { listen(id: string, gone?: AbortSignal): Listener; stop(): void }

/** Takes the passages of a removed document out of the index. */
export type RemovePassages = (tenant: string, documentId: string, signal: AbortSignal) => Promise<void>

type Searched = {
  scope: Scope
  query: string
  limit: number
  signal: AbortSignal
  onCall(call: Pick<ModelCall, 'usage'>): void
}
/** Finds passages as questions do, and reads those of a document. */
export type PassageSearch = {
  search(asked: Searched): Promise<{ passages: Evidence[]; degraded: string[] }>
  ofDocument: PassageIndex['passages']
}

/** What the gateway's services work with. */
export type GatewayPorts = {
  store: RunStore
  apiKeys: ApiKeys
  /** How many keys the settings hold for a tenant, and how many of them are of admins. */
  fixedKeys: (tenant: string) => { all: number; admins: number }
  /** A key of the settings by the name that its runs have. */
  fixedKey: (tenant: string, name: string) => Caller | undefined
  /** Returns who acted with the id that their key has now: one person with two ids is one person. */
  currentActor: (actor: string) => string
  audit: AuditLog
  queue: JobQueue
  runHub: Hub
  threads: ThreadStore
  leases: Leases
  pendingDecisions: PendingDecisions
  feedback: FeedbackStore
  /** The next look at runs somebody decided about: noted before the decision is committed, so that no crash comes between the two. */
  decided: Looks
  cases: CaseStore
  flags: FlagStore
  keptAnswers: KeptAnswers
  spending: Spending
  turns: Turns
  askQuotas: AskQuotas
  catalog: Catalog
  batches: BatchStore
  schedules: ScheduleStore
  sources: SourceStore
  documentHub: Hub
  /** By tenant: what its desk shows has changed. */
  deskHub: Hub
  files: DocumentFiles
  ingest: IngestQueue
  removePassages: RemovePassages
  passages: PassageSearch
  pages: PageDrawer
  history: OpsHistoryStore
  deskLoad: DeskLoad
  processes: Processes
  room: Room
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
/** The name under which services are given the ports. */
export const PORTS = Symbol('GatewayPorts')
