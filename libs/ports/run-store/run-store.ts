import type { Evidence, LedgerEvent, RunStatus } from '@plumbline/contracts'
import type { ParkedGroup, ParkedRow, Run } from '@plumbline/flow'

export type Created = { kind: 'created' } | { kind: 'exists'; run: Run } | { kind: 'conflict' }

/**
 * `suspect`: the task started before without a report, and the caller does not run it in isolation. Nothing was
 * counted or fenced.
 */
export type Begun =
  | { kind: 'gone'; now: number }
  | { kind: 'closed'; run: Run; now: number }
  | { kind: 'suspect'; starts: number; now: number }
  | { kind: 'open'; run: Run; version: string; starts: number; errors: number; now: number; first?: string }

/** `spanId` identifies this delivery in its trace. An open task returns the span of its first delivery as `first`. */
export type Where = { isolated: boolean; spanId?: string | undefined }

type Loaded = { run: Run; version: string; now: number }

export type Commit = {
  run: Run
  /** The version this move was computed from. */
  version: string
  /** The new version, unique and random, from a caller that may build on it. Without one, the store creates its own. */
  next?: string
  /** The delivery that reports. Null for moves without a task: a decision, an end, an abandon. */
  by: { taskId: string; fence: string } | null
  /** The move is valid only before this time of the store's clock. */
  before?: number
  events: LedgerEvent[]
  evidence: Evidence[]
  /** The same review is open before and after, so the run is already in the desk's list. */
  isListed?: boolean
}
/**
 * `raced`: another task moved the run. `fenced`: a newer delivery owns the task. `lost`: there is no fence. `late`:
 * its time limit passed. `gone`: there is no such run.
 */
export type Committed = { kind: 'moved' | 'raced' | 'fenced' | 'lost' | 'late' | 'gone' }

export type LedgerEntry = { id: string; event: LedgerEvent }
type DraftDelta = { taskId: string; start: number; text: string }
export type DraftEntry = { id: string; delta: DraftDelta }
/**
 * `from` (inclusive) and `to` (exclusive) are creation times. `wanted` filters the runs read, a limited number per
 * page.
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
/** `nextDue`: when the taken runs are due again. */
export type Due = { runIds: string[]; now: number; nextDue: number }

/** Sorts by the earliest due time, the longest wait, or the highest risk. */
export type ParkedOrder = 'deadline' | 'age' | 'risk'
export type ParkedQuery = {
  order: ParkedOrder
  cursor: string | null
  limit: number
  wanted: (group: ParkedGroup) => boolean
  /** Only those which have a word of the question, the asker or the draft that begins with each of these; from `searchWords`. */
  words?: string[]
  /** Counts those that are due until then, whatever the page. */
  dueBy?: number
}
/** `groups` and `oldestAt` cover all matching runs, not only the page. `oldestAt` is null if there is none. */
export type ParkedPage = {
  rows: ParkedRow[]
  next: string | null
  groups: { group: ParkedGroup; count: number }[]
  oldestAt: number | null
  due?: number
}

export interface RunStore {
  /** Step 1 of an ask, before `create`, so that the run is checked even if its creator dies. */
  schedule(ref: RunRef, at: number): Promise<void>
  /**
   * Stops counting a parked run as unfinished. It stays in the desk's list until its review is due, unless it was
   * rescheduled since `nextDue`.
   */
  rest(run: Run, nextDue: number): Promise<void>
  /** Updates the desk's row of a parked run. */
  relist(run: Run): Promise<void>
  /** Takes a run out of the sweeper's list and, if `tenant` is given, out of the count of the tenant's unfinished runs. */
  unschedule(ref: RunRef & { tenant?: string }): Promise<void>
  /** `bodyHash` is empty if the run's id is random and cannot repeat. */
  create(run: Run, events: LedgerEvent[], bodyHash: string): Promise<Created>

  begin(runId: string, taskId: string, fence: string, where: Where): Promise<Begun>
  commit(commit: Commit): Promise<Committed>
  /**
   * Counts an error of a task, once per fence, and gives all its starts back, because a delivery that reports an
   * error did not crash. Returns the count, or null if the fence is not ours.
   */
  countError(runId: string, taskId: string, fence: string): Promise<number | null>
  /**
   * Gives starts back and releases the fence: `own` if a drained worker hands the task on, `all` if the task reports
   * that it waits.
   */
  uncountStarts(runId: string, taskId: string, fence: string, which: 'own' | 'all'): Promise<void>

  load(runId: string): Promise<Loaded | null>
  loadMany(runIds: string[]): Promise<(Run | null)[]>
  evidence(runId: string, passageIds: string[]): Promise<Evidence[]>
  ledger(runId: string, after: string | null, limit: number): Promise<LedgerEntry[]>
  /**
   * Returns the entries after `after`. Returns null if the ledger lacks that entry, because the run is gone or the
   * store was rolled back.
   */
  ledgerFrom(runId: string, after: string | null, limit: number): Promise<LedgerEntry[] | null>
  /** Accepts only the newest delivery of an open task. */
  appendDraft(runId: string, piece: { taskId: string; fence: string; text: string }): Promise<void>
  /** `start` grows with every delivery of a task, including starts given back. A new start voids earlier text. */
  draft(runId: string, after: string | null, limit?: number): Promise<DraftEntry[]>

  /** Takes up to `limit` due runs, and makes them due again after `againInMs`, in one script. */
  takeDue(lane: string, limit: number, againInMs: number): Promise<Due>
  /**
   * A page may have fewer runs than its limit, or none, and still a next page, because each page reads a limited
   * number of runs.
   */
  list(tenant: string, query: RunQuery): Promise<RunPage>
  /** The desk's list. It contains a run from the commit that parks it to the one that closes its review. */
  parked(tenant: string, query: ParkedQuery): Promise<ParkedPage>
  /**
   * Returns the rank of a parked run by deadline, from 1, and the length of the list. Null if the run is not parked.
   */
  parkedPlace(run: Run): Promise<{ at: number; of: number } | null>

  now(): Promise<number>
  /**
   * Calls back after each commit of this run by any process. Resolves once subscribed, however long the store is
   * away.
   */
  subscribe(runId: string, onMove: () => void): Promise<() => Promise<void>>
  /** Calls back with tasks that a commit closed while another delivery may still work on them: a cancel, an end. */
  subscribeClosed(onClosed: (runId: string, taskIds: string[]) => void): Promise<() => Promise<void>>
}
