import type { Evidence, LedgerEvent, RunStatus, Usage } from '@plumbline/contracts'
import type { ParkedGroup, ParkedRow, Run } from '@plumbline/flow'

export type Created = { kind: 'created' } | { kind: 'exists'; run: Run } | { kind: 'conflict' }

/** `suspect`: an earlier start may have crashed. The store sets no fence until `begin` is called with `isolated`. */
export type BegunTask =
  | { kind: 'gone'; now: number }
  | { kind: 'closed'; run: Run; now: number }
  | { kind: 'suspect'; starts: number; now: number }
  | { kind: 'open'; run: Run; version: string; starts: number; errors: number; now: number; first?: string }

/**
 * `spanId` is the trace span of this job delivery. `begin` returns the span of the first delivery of an open task as
 * `first`.
 */
export type TaskDelivery = { isolated: boolean; spanId?: string | undefined }

type Loaded = { run: Run; version: string; now: number }

export type Commit = {
  run: Run
  /** The commit fails if the stored version differs. */
  version: string
  /**
   * The version of the run after this commit: a unique random value. Set this field if a later commit builds on this
   * version.
   */
  next?: string
  /** Null for commits that no task causes, such as a decision or a cancellation. */
  by: { taskId: string; fence: string } | null
  /** A deadline: the commit fails from this time on, by the store's clock. */
  before?: number
  events: LedgerEvent[]
  evidence: Evidence[]
  /** Whether the desk's list already contains the run, because the same review was open before this commit. */
  isListed?: boolean
}
/**
 * Only `moved` means success. `raced`: the run changed first. `fenced`: a newer job delivery owns the task. `lost`:
 * no fence. `late`: `before` has passed.
 */
export type Committed = { kind: 'moved' | 'raced' | 'fenced' | 'lost' | 'late' | 'gone' }

export type LedgerEntry = { id: string; event: LedgerEvent }
type DraftDelta = { taskId: string; start: number; text: string }
export type DraftEntry = { id: string; delta: DraftDelta }
/**
 * `from` (inclusive) and `to` (exclusive) limit the creation time. `wanted` filters after reading, so a page may have
 * fewer runs than `limit`.
 */
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
/** The due runs, already rescheduled to `nextDue`. */
export type Due = { runIds: string[]; now: number; nextDue: number }

/** The sort order of parked runs: earliest due time, longest wait, or highest risk first. */
export type ParkedOrder = 'deadline' | 'age' | 'risk'
export type ParkedQuery = {
  order: ParkedOrder
  cursor: string | null
  limit: number
  wanted: (group: ParkedGroup) => boolean
  /** Word prefixes; see `searchWords`. Each one must begin a word of the run's question, asker or draft. */
  words?: string[]
  /** Adds to the page the number of matching runs that are due before this time. */
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
  /** Must be called before `create`: if the creating process dies, the sweeper still finds the run. */
  schedule(ref: RunRef, at: number): Promise<void>
  /**
   * Releases a parked run's place among the unfinished runs and its reservation. Postpones its next check, unless the
   * run was rescheduled after `nextDue` was set.
   */
  rest(run: Run, nextDue: number): Promise<void>
  relist(run: Run): Promise<void>
  /**
   * With `tenant`, the run's reservation and its place among unfinished runs also end. Later reservations depend on
   * `usage`.
   */
  unschedule(ref: RunRef & { tenant?: string; usage?: Usage }): Promise<void>
  /** Stores a new run. `bodyHash` is empty for a run with a random id, because such an id cannot repeat. */
  create(run: Run, events: LedgerEvent[], bodyHash: string): Promise<Created>

  begin(runId: string, taskId: string, fence: string, where: TaskDelivery): Promise<BegunTask>
  commit(commit: Commit): Promise<Committed>
  /**
   * Counts at most once per fence, and resets the task's number of starts. Returns null if another job delivery owns
   * the task.
   */
  countError(runId: string, taskId: string, fence: string): Promise<number | null>
  /**
   * `own` subtracts only the start of this job delivery, because its worker is stopping. `all` subtracts every start,
   * because the task asked to run later.
   */
  uncountStarts(runId: string, taskId: string, fence: string, which: 'own' | 'all'): Promise<void>

  load(runId: string): Promise<Loaded | null>
  loadMany(runIds: string[]): Promise<(Run | null)[]>
  evidence(runId: string, passageIds: string[]): Promise<Evidence[]>
  ledger(runId: string, after: string | null, limit: number): Promise<LedgerEntry[]>
  /** Returns null if the entry `after` is missing: the run is gone, or the store was restored from a backup. */
  ledgerFrom(runId: string, after: string | null, limit: number): Promise<LedgerEntry[] | null>
  /** Appends text to the draft. Does nothing unless the caller is the newest job delivery of an open task. */
  appendDraft(runId: string, piece: { taskId: string; fence: string; text: string }): Promise<void>
  /**
   * A delivery has a higher `start` than the previous delivery of its task, even after `uncountStarts`. A new `start`
   * invalidates all earlier text.
   */
  draft(runId: string, after: string | null, limit?: number): Promise<DraftEntry[]>

  /** Returns up to `limit` due runs, and reschedules them to `againInMs` from now in the same step. */
  takeDue(lane: string, limit: number, againInMs: number): Promise<Due>
  list(tenant: string, query: RunQuery): Promise<RunPage>
  /** A run is listed from the commit that parks the run to the commit that closes its review. */
  parked(tenant: string, query: ParkedQuery): Promise<ParkedPage>
  /** The position is counted from 1. Null if the run is not parked. */
  parkedPlace(run: Run): Promise<{ at: number; of: number } | null>

  now(): Promise<number>
  /** Resolves once subscribed. If the store is unavailable, waits until it responds. */
  subscribe(runId: string, onMove: () => void): Promise<() => Promise<void>>
  /**
   * Calls `onClosed` when a commit closes tasks, for example a cancellation. Workers that still run these tasks can
   * then stop.
   */
  subscribeClosed(onClosed: (runId: string, taskIds: string[]) => void): Promise<() => Promise<void>>
}
