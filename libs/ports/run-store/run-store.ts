import type { Evidence, LedgerEvent, RunStatus, Usage } from '@plumbline/contracts'
import type { ParkedGroup, ParkedRow, Run } from '@plumbline/flow'

export type Created = { kind: 'created' } | { kind: 'exists'; run: Run } | { kind: 'conflict' }

/**
 * The result of `begin`. `suspect` means that an earlier start of the task may have crashed its process. The caller
 * then runs the task alone and calls `begin` again with `isolated`.
 */
export type BegunTask =
  | { kind: 'gone'; now: number }
  | { kind: 'closed'; run: Run; now: number }
  | { kind: 'suspect'; starts: number; now: number }
  | { kind: 'open'; run: Run; version: string; starts: number; errors: number; now: number; first?: string }

/** A start of a task, alone in its process if it is `isolated`. `spanId` is the trace span of this job delivery. */
export type TaskDelivery = { isolated: boolean; spanId?: string | undefined }

type Loaded = { run: Run; version: string; now: number }

export type Commit = {
  run: Run
  /** The version that the caller has loaded. If the stored version differs, the commit fails. */
  version: string
  /** The version after this commit, which is unique and random. Needed only if a later commit builds on this commit. */
  next?: string
  /** The task that makes the change. Null for a change without a task, such as a decision or a cancellation. */
  by: { taskId: string; fence: string } | null
  /** The commit fails if the store's clock has reached this time. */
  before?: number
  events: LedgerEvent[]
  evidence: Evidence[]
  /** True if the list of parked runs already contains the run, because an earlier commit opened its review. */
  isListed?: boolean
}
/**
 * The result of a commit. `raced`: the run has changed since it was loaded. `fenced`: a newer delivery owns the task.
 * `lost`: no delivery owns the task. `late`: the time `before` has passed.
 */
export type Committed = { kind: 'moved' | 'raced' | 'fenced' | 'lost' | 'late' | 'gone' }

export type LedgerEntry = { id: string; event: LedgerEvent }
type DraftDelta = { taskId: string; start: number; text: string }
export type DraftEntry = { id: string; delta: DraftDelta }
/** Selects a page of runs. `to` is exclusive. `wanted` is applied last, so a page may have fewer runs than `limit`. */
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
/** The runs that are due for a check. The store has already rescheduled them to `nextDue`. */
export type Due = { runIds: string[]; now: number; nextDue: number }

/** The order of parked runs: earliest deadline first, longest wait first, or highest risk first. */
export type ParkedOrder = 'deadline' | 'age' | 'risk'
export type ParkedQuery = {
  order: ParkedOrder
  cursor: string | null
  limit: number
  wanted: (group: ParkedGroup) => boolean
  /** Each of these words must be the beginning of a word in the run's question, asker, metadata or draft. */
  words?: string[]
  /** If this time is set, `due` of the page is the number of matching runs that are due by this time. */
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
  /** Schedules the first check of a run. Must be called before `create`, so that a crash in between loses no run. */
  schedule(ref: RunRef, at: number): Promise<void>
  /**
   * Frees the slot and the reserved budget of a run that waits for review. Postpones its next check to the deadline of
   * the review, unless another process has already moved the check from `nextDue` to another time.
   */
  rest(run: Run, nextDue: number): Promise<void>
  relist(run: Run): Promise<void>
  /** Removes the run's next check. With `tenant`, also frees its slot among unfinished runs and its reserved budget. */
  unschedule(ref: RunRef & { tenant?: string; usage?: Usage }): Promise<void>
  /** Stores a new run. An existing id with another `bodyHash` is a conflict. `bodyHash` is empty for a random id. */
  create(run: Run, events: LedgerEvent[], bodyHash: string): Promise<Created>

  begin(runId: string, taskId: string, fence: string, where: TaskDelivery): Promise<BegunTask>
  commit(commit: Commit): Promise<Committed>
  /**
   * Counts an error of a task, once per delivery (`fence`), and resets its starts. Null if another one owns the task.
   */
  countError(runId: string, taskId: string, fence: string): Promise<number | null>
  /** Reduces the starts of a task: by one if the worker stops (`own`), or to zero if the task is postponed (`all`). */
  uncountStarts(runId: string, taskId: string, fence: string, which: 'own' | 'all'): Promise<void>

  load(runId: string): Promise<Loaded | null>
  loadMany(runIds: string[]): Promise<(Run | null)[]>
  evidence(runId: string, passageIds: string[]): Promise<Evidence[]>
  ledger(runId: string, after: string | null, limit: number): Promise<LedgerEntry[]>
  /**
   * Returns ledger entries after the entry `after`. Returns null if that entry is missing, because the run is gone or
   * the store was restored from a backup.
   */
  ledgerFrom(runId: string, after: string | null, limit: number): Promise<LedgerEntry[] | null>
  /** Stores a piece of the unchecked draft. Does nothing if the caller is not the newest delivery of an open task. */
  appendDraft(runId: string, piece: { taskId: string; fence: string; text: string }): Promise<void>
  /** Returns pieces of the draft. `start` counts the attempts to write it: a higher number replaces earlier text. */
  draft(runId: string, after: string | null, limit?: number): Promise<DraftEntry[]>

  /** Returns runs that are due for a check, and reschedules them in the same step to `againInMs` from now. */
  takeDue(lane: string, limit: number, againInMs: number): Promise<Due>
  list(tenant: string, query: RunQuery): Promise<RunPage>
  /** Lists the runs that wait for review, from the commit that parks a run to the commit that closes its review. */
  parked(tenant: string, query: ParkedQuery): Promise<ParkedPage>
  /** Returns the run's place in the list of parked runs, counted from 1. Null if the run is not parked. */
  parkedPlace(run: Run): Promise<{ at: number; of: number } | null>

  now(): Promise<number>
  /** Calls `onMove` when the run changes. Resolves once this works, even if the store is unavailable at first. */
  subscribe(runId: string, onMove: () => void): Promise<() => Promise<void>>
  subscribeClosed(onClosed: (runId: string, taskIds: string[]) => void): Promise<() => Promise<void>>
}
