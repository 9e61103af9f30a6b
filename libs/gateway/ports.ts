import type { IngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import type { DocumentFiles } from '@plumbline/adapters/files/document-files'
import type { ApiKeys } from '@plumbline/adapters/redis/api-keys/api-keys'
import type { AuditLog } from '@plumbline/adapters/redis/audit/audit-log'
import type { PinnedAnswers } from '@plumbline/adapters/redis/caches/pinned-answers'
import type { FlagStore } from '@plumbline/adapters/redis/flags/flags'
import type { DueQueue } from '@plumbline/adapters/redis/client/due-queue'
import { withTimeout } from '@plumbline/adapters/redis/client/errors'
import type { Catalog } from '@plumbline/adapters/redis/documents/catalog'
import type { AskQuotas } from '@plumbline/adapters/redis/limits/ask-quotas'
import type { FairShare } from '@plumbline/adapters/redis/limits/fair-share'
import type { Spending } from '@plumbline/adapters/redis/limits/spending'
import type { DeskLoad } from '@plumbline/adapters/redis/ops/desk-load'
import type { OpsHistoryStore } from '@plumbline/adapters/redis/ops/history'
import type { Processes } from '@plumbline/adapters/redis/ops/processes'
import type { StoreUsage } from '@plumbline/adapters/redis/ops/store-usage'
import type { RulesStore } from '@plumbline/adapters/redis/rules/rules'
import type { FeedbackStore } from '@plumbline/adapters/redis/runs/feedback'
import type { Leases } from '@plumbline/adapters/redis/runs/leases'
import type { PendingDecisions } from '@plumbline/adapters/redis/runs/pending-decisions'
import type { Reviewers } from '@plumbline/adapters/redis/runs/reviewers'
import type { ThreadStore } from '@plumbline/adapters/redis/runs/threads'
import type { Evidence, KeyRole, ModelCall } from '@plumbline/contracts'
import type { Policy } from '@plumbline/flow'
import type { Log } from '@plumbline/platform/log'
import type { PageDrawer } from '@plumbline/ports/document-parser'
import type { JobQueue } from '@plumbline/ports/job-queue'
import type { PassageIndex, Scope } from '@plumbline/ports/passage-index/passage-index'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import type { Registry } from 'prom-client'
import type { Settings } from './settings'

/** `name` identifies the key in the ledger, but does not reveal the key. */
export type Caller = { tenant: string; roles: ReadonlySet<KeyRole>; name: string; access: readonly string[] | 'all' }

/** Limits a call to a store to 800 ms, so that a request is answered within a second. */
export const withGatewayTimeout = withTimeout(800)

/** `byName` returns the same object for each policy, so that the store serializes each policy only once. */
export type PolicyBook = {
  all: Policy[]
  offered: Policy[]
  refuseOthers(name: string): void
  byName(name: string, isHeld?: boolean): Policy
}

/** `moved`: a change. `beat`: a heartbeat is due. `time`: `withinMs` is over. `closed`: the listener was closed. */
export type Listener = {
  next(withinMs?: number): Promise<'moved' | 'beat' | 'time' | 'closed'>
  share<T>(what: string, read: () => Promise<T>): Promise<T>
  close(): void
}
export type Hub = { listen(id: string, clientClosed?: AbortSignal): Listener; stop(): void }

export type RemovePassages = (tenant: string, documentId: string, signal: AbortSignal) => Promise<void>

type Searched = {
  scope: Scope
  query: string
  limit: number
  signal: AbortSignal
  onCall(call: Pick<ModelCall, 'usage'>): void
}
export type PassageSearch = {
  search(asked: Searched): Promise<{ passages: Evidence[]; degraded: string[]; elsewhere?: string | undefined }>
  ofDocument: PassageIndex['passages']
}

/** The ports that most services use. Each group of ports is a class, because Nest injects by class. */
export abstract class Common {
  abstract readonly settings: Settings
  abstract readonly log: Log
  abstract readonly registry: Registry
}

export abstract class RunPorts {
  abstract readonly store: RunStore
  abstract readonly queue: JobQueue
  abstract readonly runHub: Hub
  abstract readonly threads: ThreadStore
  abstract readonly feedback: FeedbackStore
  abstract readonly pinnedAnswers: PinnedAnswers
  abstract readonly policies: PolicyBook
  abstract readonly rules: RulesStore
}

export abstract class ReviewPorts {
  abstract readonly leases: Leases
  abstract readonly pendingDecisions: PendingDecisions
  abstract readonly decided: DueQueue
  abstract readonly deskHub: Hub
  abstract readonly currentActor: (actor: string) => string
  abstract readonly flags: FlagStore
  abstract readonly reviewers: Reviewers
}

export abstract class DocumentPorts {
  abstract readonly catalog: Catalog
  abstract readonly files: DocumentFiles
  abstract readonly ingest: IngestQueue
  abstract readonly removePassages: RemovePassages
  abstract readonly passages: PassageSearch
  abstract readonly pages: PageDrawer
  abstract readonly documentHub: Hub
}

export abstract class LimitPorts {
  abstract readonly spending: Spending
  abstract readonly fairShare: FairShare
  abstract readonly askQuotas: AskQuotas
}

export abstract class KeyPorts {
  abstract readonly apiKeys: ApiKeys
  abstract readonly fixedKeys: (tenant: string) => { all: number; admins: number }
  abstract readonly fixedKey: (tenant: string, name: string) => Caller | undefined
  abstract readonly audit: AuditLog
}

export abstract class OpsPorts {
  abstract readonly history: OpsHistoryStore
  abstract readonly deskLoad: DeskLoad
  abstract readonly processes: Processes
  abstract readonly storeUsage: StoreUsage
}
