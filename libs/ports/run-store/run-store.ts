import type { Evidence, LedgerEvent, RunStatus } from '@plumbline/contracts'
import type { ParkedGroup, ParkedRow, Run } from '@plumbline/flow'

export type Created = { kind: 'created' } | { kind: 'exists'; run: Run } | { kind: 'conflict' }

/**
 * The reply to `begin`. `suspect`: an earlier start of this task may have crashed, so the task must run in isolation.
 * This call did not ask for isolation, so the store counted no start and set no fence.
 */
export type Begun =
  | { kind: 'gone'; now: number }
  | { kind: 'closed'; run: Run; now: number }
  | { kind: 'suspect'; starts: number; now: number }
  | { kind: 'open'; run: Run; version: string; starts: number; errors: number; now: number; first?: string }

/**
 * How a delivery runs the task. `spanId` identifies the delivery in the trace. If the task is open, `begin` returns the
 * span of its first delivery as `first`.
 */
export type Where = { isolated: boolean; spanId?: string | undefined }

type Loaded = { run: Run; version: string; now: number }

export type Commit = {
  run: Run
  /** The version of the run that this move is based on. The commit fails if the stored version differs. */
  version: string
  /**
   * The new version: unique and random. Pass it if a later move builds on this one. Otherwise the store creates a
   * version.
   */
  next?: string
  /** The delivery that reports the result. Null for moves without a task, such as a decision or a cancel. */
  by: { taskId: string; fence: string } | null
  /** The commit fails if the store's clock has reached this time. */
  before?: number
  events: LedgerEvent[]
  evidence: Evidence[]
  /** The same review was open before this move, so the desk's list already contains the run. */
  isListed?: boolean
}
/**
 * The reply to a commit. `raced`: another task changed the run first. `fenced`: a newer delivery owns the task. `lost`:
 * the task has no fence. `late`: the time in `before` has passed. `gone`: the run does not exist.
 */
export type Committed = { kind: 'moved' | 'raced' | 'fenced' | 'lost' | 'late' | 'gone' }

export type LedgerEntry = { id: string; event: LedgerEvent }
type DraftDelta = { taskId: string; start: number; text: string }
export type DraftEntry = { id: string; delta: DraftDelta }
/**
 * A query for runs. `from` (inclusive) and `to` (exclusive) limit the creation time. `wanted` filters the runs after
 * reading; each page reads a limited number of runs.
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
/** The runs that are due. `nextDue`: when these runs are due again. */
export type Due = { runIds: string[]; now: number; nextDue: number }

/** The order of parked runs: earliest due time, longest wait, or highest risk first. */
export type ParkedOrder = 'deadline' | 'age' | 'risk'
export type ParkedQuery = {
  order: ParkedOrder
  cursor: string | null
  limit: number
  wanted: (group: ParkedGroup) => boolean
  /**
   * Selects runs that match every prefix in this list: a word of the question, asker or draft begins with the prefix.
   * See `searchWords`.
   */
  words?: string[]
  /** Counts the matching runs that are due before this time, on all pages. */
  dueBy?: number
}
/**
 * A page of parked runs. `groups` and `oldestAt` describe all matching runs, not only this page. `oldestAt` is null if
 * there are none.
 */
export type ParkedPage = {
  rows: ParkedRow[]
  next: string | null
  groups: { group: ParkedGroup; count: number }[]
  oldestAt: number | null
  due?: number
}

export interface RunStore {
  /**
   * Adds a run to the sweeper's list. Call this before `create`, so that the sweeper checks the run even if its creator
   * dies.
   */
  schedule(ref: RunRef, at: number): Promise<void>
  /**
   * Removes a parked run from the count of unfinished runs. Postpones its next check until its review is due, unless
   * the run was rescheduled since `nextDue`.
   */
  rest(run: Run, nextDue: number): Promise<void>
  /** Updates the row of a parked run in the desk's list. */
  relist(run: Run): Promise<void>
  /**
   * Removes a run from the sweeper's list. With `tenant`, also removes it from the tenant's count of unfinished runs.
   */
  unschedule(ref: RunRef & { tenant?: string }): Promise<void>
  /** Stores a new run. `bodyHash` is empty if the run's id is random and cannot repeat. */
  create(run: Run, events: LedgerEvent[], bodyHash: string): Promise<Created>

  begin(runId: string, taskId: string, fence: string, where: Where): Promise<Begun>
  commit(commit: Commit): Promise<Committed>
  /**
   * Counts one error of a task, at most once per fence. Resets its count of starts, because a delivery that reports an
   * error did not crash. Returns the error count, or null if another delivery owns the task.
   */
  countError(runId: string, taskId: string, fence: string): Promise<number | null>
  /**
   * Subtracts starts of a task and releases the fence. `own`: only this delivery's start, because its worker is
   * stopping. `all`: every start, because the task asked to run later.
   */
  uncountStarts(runId: string, taskId: string, fence: string, which: 'own' | 'all'): Promise<void>

  load(runId: string): Promise<Loaded | null>
  loadMany(runIds: string[]): Promise<(Run | null)[]>
  evidence(runId: string, passageIds: string[]): Promise<Evidence[]>
  ledger(runId: string, after: string | null, limit: number): Promise<LedgerEntry[]>
  /**
   * Returns the ledger entries that follow the entry `after`. Returns null if that entry is missing, because the run is
   * gone or the store was restored from an earlier state.
   */
  ledgerFrom(runId: string, after: string | null, limit: number): Promise<LedgerEntry[] | null>
  /** Appends a piece to the draft. Only the newest delivery of an open task may append. */
  appendDraft(runId: string, piece: { taskId: string; fence: string; text: string }): Promise<void>
  /**
   * Returns pieces of the draft. Each delivery of a task has a higher `start` than the one before, even if starts were
   * subtracted. A new `start` makes earlier text invalid.
   */
  draft(runId: string, after: string | null, limit?: number): Promise<DraftEntry[]>

  /** Returns up to `limit` due runs, and atomically reschedules them after `againInMs`. */
  takeDue(lane: string, limit: number, againInMs: number): Promise<Due>
  /**
   * Returns a page of runs. Because each page reads a limited number of runs, a page may be empty although another page
   * follows.
   */
  list(tenant: string, query: RunQuery): Promise<RunPage>
  /**
   * Returns a page of the desk's list. The list contains a run from the commit that parks it until the commit that
   * closes its review.
   */
  parked(tenant: string, query: ParkedQuery): Promise<ParkedPage>
  /**
   * Returns the position of a parked run in the order of deadlines, starting at 1, and the length of the list. Returns
   * null if the run is not parked.
   */
  parkedPlace(run: Run): Promise<{ at: number; of: number } | null>

  now(): Promise<number>
  /**
   * Calls back after each commit of this run by any process. Resolves when subscribed, and waits if the store is away.
   */
  subscribe(runId: string, onMove: () => void): Promise<() => Promise<void>>
  /**
   * Calls back when a commit closes tasks, for example by a cancel. Another delivery may still be working on these
   * tasks.
   */
  subscribeClosed(onClosed: (runId: string, taskIds: string[]) => void): Promise<() => Promise<void>>
}
