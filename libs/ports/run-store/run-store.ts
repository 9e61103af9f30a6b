import type { Evidence, LedgerEvent, RunStatus, Usage } from '@plumbline/contracts'
import type { ParkedGroup, ParkedRow, Run } from '@plumbline/flow'

export type Created = { kind: 'created' } | { kind: 'exists'; run: Run } | { kind: 'conflict' }

/** `suspect`: an earlier start may have crashed its process. Call `begin` again with `isolated`. */
export type BegunTask =
  | { kind: 'gone'; now: number }
  | { kind: 'closed'; run: Run; now: number }
  | { kind: 'suspect'; starts: number; now: number }
  | { kind: 'open'; run: Run; version: string; starts: number; errors: number; now: number; first?: string }

/** `isolated`: the task runs alone in its process. `spanId`: the trace span of this job delivery. */
export type TaskDelivery = { isolated: boolean; spanId?: string | undefined }

type Loaded = { run: Run; version: string; now: number }

export type Commit = {
  run: Run
  /** The commit fails if the stored version differs. */
  version: string
  /** The version after this commit: unique and random. Set it if a later commit builds on this one. */
  next?: string
  /** Null for commits without a task, such as a decision or a cancellation. */
  by: { taskId: string; fence: string } | null
  /** The commit fails from this time on, by the store's clock. */
  before?: number
  events: LedgerEvent[]
  evidence: Evidence[]
  /** True if the list of parked runs already contains the run, because its review was open before. */
  isListed?: boolean
}
/**
 * `raced`: the run has changed. `fenced`: a newer delivery owns the task. `lost`: no delivery owns the task.
 * `late`: the time `before` has passed.
 */
export type Committed = { kind: 'moved' | 'raced' | 'fenced' | 'lost' | 'late' | 'gone' }

export type LedgerEntry = { id: string; event: LedgerEvent }
type DraftDelta = { taskId: string; start: number; text: string }
export type DraftEntry = { id: string; delta: DraftDelta }
/** `to` is exclusive. `wanted` filters after reading, so a page may have fewer runs than `limit`. */
export type RunQuery = {
  cursor: string | null
  limit: number
  status?: RunStatus
  from?: number
  to?: number
  wanted?: (run: Run) => boolean
}
export type RunPage = { ids: string[]; next: string | null }
type RunRef = { lane: string; runId: string }
/** The store has already rescheduled these runs to `nextDue`. */
export type Due = { runIds: string[]; now: number; nextDue: number }

/** Earliest due time, longest wait, or highest risk first. */
export type ParkedOrder = 'deadline' | 'age' | 'risk'
export type ParkedQuery = {
  order: ParkedOrder
  cursor: string | null
  limit: number
  wanted: (group: ParkedGroup) => boolean
  /** Word prefixes. Each must begin a word of the run's question, asker, metadata or draft. */
  words?: string[]
  /** The page then contains, in `due`, the number of matching runs that are due by this time. */
  dueBy?: number
}
export type ParkedPage = {
  rows: ParkedRow[]
  next: string | null
  groups: { group: ParkedGroup; count: number }[]
  oldestAt: number | null
  due?: number
}

export interface RunStore {
  /** Must be called before `create`, so that a crash in between loses no run. */
  schedule(ref: RunRef, at: number): Promise<void>
  /**
   * Frees the slot and the reserved budget of a run that waits for review. Postpones the run's next check to the
   * deadline of the review, unless another process has already moved the check from `nextDue`.
   */
  rest(run: Run, nextDue: number): Promise<void>
  relist(run: Run): Promise<void>
  /** With `tenant`, also frees the run's slot among the unfinished runs and its reserved budget. */
  unschedule(ref: RunRef & { tenant?: string; usage?: Usage }): Promise<void>
  /** A different `bodyHash` for the same id is a conflict. `bodyHash` is empty if the id is random. */
  create(run: Run, events: LedgerEvent[], bodyHash: string): Promise<Created>

  begin(runId: string, taskId: string, fence: string, where: TaskDelivery): Promise<BegunTask>
  commit(commit: Commit): Promise<Committed>
  /** Counts at most one error per fence, and resets the starts. Null if another delivery owns the task. */
  countError(runId: string, taskId: string, fence: string): Promise<number | null>
  /** `own`: subtracts one start, because the worker stops. `all`: subtracts all, because the task is postponed. */
  uncountStarts(runId: string, taskId: string, fence: string, which: 'own' | 'all'): Promise<void>

  load(runId: string): Promise<Loaded | null>
  loadMany(runIds: string[]): Promise<(Run | null)[]>
  evidence(runId: string, passageIds: string[]): Promise<Evidence[]>
  ledger(runId: string, after: string | null, limit: number): Promise<LedgerEntry[]>
  /** Returns null if the entry `after` is missing: the run is gone, or the store was restored from a backup. */
  ledgerFrom(runId: string, after: string | null, limit: number): Promise<LedgerEntry[] | null>
  /** Ignores a caller that is not the newest delivery of an open task. */
  appendDraft(runId: string, piece: { taskId: string; fence: string; text: string }): Promise<void>
  /** `start` counts the attempts to write this draft. A piece with a higher `start` makes all earlier text invalid. */
  draft(runId: string, after: string | null, limit?: number): Promise<DraftEntry[]>

  /** Atomically reschedules the returned runs to `againInMs` from now. */
  takeDue(lane: string, limit: number, againInMs: number): Promise<Due>
  list(tenant: string, query: RunQuery): Promise<RunPage>
  /** A run is listed from the commit that parks it to the commit that closes its review. */
  parked(tenant: string, query: ParkedQuery): Promise<ParkedPage>
  /** `at` counts from 1. Returns null if the run is not parked. */
  parkedPlace(run: Run): Promise<{ at: number; of: number } | null>

  now(): Promise<number>
  /** Resolves once subscribed, even if the store is unavailable at first. */
  subscribe(runId: string, onMove: () => void): Promise<() => Promise<void>>
  subscribeClosed(onClosed: (runId: string, taskIds: string[]) => void): Promise<() => Promise<void>>
}
