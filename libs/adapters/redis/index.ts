export { openAnswerCache, type AnswerCache, type KnownAnswer } from './caches/answers'
export { openPinnedAnswers, type PinnedAnswers } from './caches/pinned-answers'
export { cachedEmbedder, cachedReranker, openRedisCache, withFront } from './caches/cache'
export { openRetrievalCache, type RetrievalCache } from './caches/retrievals'
export { openChangeChannels } from './client/channels'
export { connectFailFast, connectWaiting, onReconnect, whenReady, type RedisClient } from './client/client'
export { withTimeout } from './client/errors'
export { checkStoreShape, recordLanes } from './client/keys'
export { openDueQueue, type DueQueue } from './client/due-queue'
export { openCatalog, type Catalog, type Owner } from './documents/catalog'
export type { Reader } from './documents/collections'
export { documentIdOf } from './documents/document'
export {
  openIngestCatalog,
  type Failure,
  type FileState,
  type IngestCatalog,
  type DocumentUpdate,
  type OpenDocument,
} from './documents/ingest-catalog'
export type { IngestJob } from './documents/open-documents'
export { openAuditLog, type AuditLog } from './audit/audit-log'
export type { Asker, Batch, KeptLine, TakenLine } from './batches/batch'
export { openBatches, type BatchShare, type BatchStore } from './batches/batches'
export { isValidKey, hashOfKey, isApiKey, openApiKeys, type ApiKey, type ApiKeys } from './api-keys/api-keys'
export { openCases, type CaseStore, type KeptCase, type CaseRow } from './cases/cases'
export { openFlags, type FlagRow, type FlagStore } from './cases/flags'
export { openAskQuotas, type AskLimits, type AskQuotas, type AsksTaken, type MinuteTaken } from './limits/ask-quotas'
export { openRedisBuckets } from './limits/buckets'
export {
  dayOf,
  openSpending,
  openTenantBudget,
  type DailyBudget,
  type RunCost,
  type Spending,
  type TenantBudget,
} from './limits/spending'
export { openFairShare, type QueueTurn, type FairShare } from './limits/fair-share'
export { openDeskLoad, type DeskLoad } from './ops/desk-load'
export { grains, openOpsHistory, type Bucket, type CountedRow, type Counts, type OpsHistoryStore } from './ops/history'
export { openInspection, type Inspection, type LaneFacts, type Overdue, type ServerFacts } from './ops/inspect'
export { openKeptTraces } from './ops/kept-traces'
export { openPageSessions, sessionMs, type PageSessions } from './ops/page-sessions'
export { copyKeys } from './ops/copy-keys'
export { openKeySalt } from './api-keys/key-salt'
export { openProcesses, type Processes } from './ops/processes'
export type { Fault } from './ops/recent-activity'
export { openStoreUsage, type StoreUsage } from './ops/store-usage'
export { openFeedback, type FeedbackRow, type FeedbackStore } from './runs/feedback'
export { openLeases, type Leases } from './runs/leases'
export { openPendingDecisions, type PendingDecisions, waitingOf, type WaitingDecision } from './runs/pending-decisions'
export { openRedisRunStore, type RedisRunStore } from './runs/redis-run-store'
export {
  openThreads,
  type LastRun,
  type ListedThread,
  type ThreadKey,
  type ThreadRun,
  type ThreadStore,
} from './runs/threads'
export { openRules, type RulesStore } from './rules/rules'
export {
  ofScheduleMember,
  openSchedules,
  type HeldSchedule,
  type ScheduleState,
  type ScheduleStore,
} from './schedules/schedules'
export type { DocumentState, SourceDocument } from './sources/source-documents'
export { openSourceRuns, type AskedMeanwhile, type OpenRun, type SourceRuns } from './sources/source-runs'
export { openSources, sourceIdOf, sourceKeyOf, type SourceStore } from './sources/sources'
export { openDeliveries, type Deliveries, type Delivery, type NewDelivery } from './webhooks/deliveries'
export { openOutbox, type Outbox } from './webhooks/webhook-outbox'
export { openWebhooks, type Webhook, type WebhookStore } from './webhooks/webhooks'
