import type { Evidence, LedgerEvent, RunStatus } from '@plumbline/contracts'
import type { ParkedGroup, ParkedRow, Run } from '@plumbline/flow'

export type Created = { kind: 'created' } | { kind: 'exists'; run: Run } | { kind: 'conflict' }

/** `suspect`: the task started before without reporting and the caller does not stand in isolation; nothing was counted or fenced. */
export type Begun =
  | { kind: 'gone'; now: number }
  | { kind: 'closed'; run: Run; now: number }
  | { kind: 'suspect'; starts: number; now: number }
  | { kind: 'open'; run: Run; version: string; starts: number; errors: number; now: number; first?: string }

/** `spanId`: what this delivery is in its trace; an open task then tells that of its first delivery as `first`. */
export type Where = { isolated: boolean; spanId?: string | undefined }

type Loaded = { run: Run; version: string; now: number }

export type Commit = {
  run: Run
  /** The version this move was computed from. */
  version: string
  /** The version this move makes, fresh and random, from a caller that may go on from it; without one the store makes its own. */
  next?: string
  /** The delivery that reports; null for moves no task reports (a decision, an end, an abandon). */
  by: { taskId: string; fence: string } | null
  /** The move only counts before this time of the store. */
  before?: number
  events: LedgerEvent[]
  evidence: Evidence[]
  /** The same review is open before and after, and so the run stands in the desk's list already. */
  isListed?: boolean
}
/** `raced`: another task moved the run; `fenced`: a newer delivery owns the task; `lost`: no fence at all; `late`: its time was over; `gone`: no such run. */
export type Committed = { kind: 'moved' | 'raced' | 'fenced' | 'lost' | 'late' | 'gone' }

export type LedgerEntry = { id: string; event: LedgerEvent }
type DraftDelta = { taskId: string; start: number; text: string }
export type DraftEntry = { id: string; delta: DraftDelta }
/** `from` and `to` (without it) are times of creation; `wanted` is asked of runs that are read for it, of a bounded number per page. */
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
/** `nextLook`: when the runs that were taken are due again. */
export type Due = { runIds: string[]; now: number; nextLook: number }

/** What is due first, what waits longest, what could cost most. */
export type ParkedOrder = 'deadline' | 'age' | 'risk'
export type ParkedQuery = {
  order: ParkedOrder
  cursor: string | null
  limit: number
  wanted: (group: ParkedGroup) => boolean
}
/** `groups` and `oldestAt` tell of all that is wanted, whatever the page; `oldestAt` is null where nothing is. */
export type ParkedPage = {
  rows: ParkedRow[]
  next: string | null
  groups: { group: ParkedGroup; count: number }[]
  oldestAt: number | null
}

export interface RunStore {
  /** Step 1 of an ask, before `create`: the run is looked at even if its creator dies. */
  schedule(ref: RunRef, at: number): Promise<void>
  /** A parked run no longer counts as unfinished. It stands in the desk's list and is looked at again when its review is due, unless its next look was set anew since `nextLook`. */
  rest(run: Run, nextLook: number): Promise<void>
  /** What the desk's list shows of a parked run, anew. */
  relist(run: Run): Promise<void>
  /** Takes a run out of the sweeper's list and, if `tenant` is given, out of the count of the tenant's unfinished runs. */
  unschedule(ref: RunRef & { tenant?: string }): Promise<void>
  /** `bodyHash` is empty where the run's id is random and can never come again. */
  create(run: Run, events: LedgerEvent[], bodyHash: string): Promise<Created>

  begin(runId: string, taskId: string, fence: string, where: Where): Promise<Begun>
  commit(commit: Commit): Promise<Committed>
  /**
   * Counts an error of a task whose fence is still ours, once per fence, and gives all its starts back: who reports an error did not crash.
   * Returns the count, or null when the fence is not ours.
   */
  countError(runId: string, taskId: string, fence: string): Promise<number | null>
  /** Gives starts back and lets go of the fence: its `own` where a drained worker hands the task on, `all` where the task reports that it waits. */
  uncountStarts(runId: string, taskId: string, fence: string, which: 'own' | 'all'): Promise<void>

  load(runId: string): Promise<Loaded | null>
  loadMany(runIds: string[]): Promise<(Run | null)[]>
  evidence(runId: string, passageIds: string[]): Promise<Evidence[]>
  ledger(runId: string, after: string | null, limit: number): Promise<LedgerEntry[]>
  /** The same for who has read up to `after`; null where the ledger does not hold that entry: the run is gone, or the store was rolled back. */
  ledgerFrom(runId: string, after: string | null, limit: number): Promise<LedgerEntry[] | null>
  /** Only the newest delivery of an open task is heard. */
  appendDraft(runId: string, piece: { taskId: string; fence: string; text: string }): Promise<void>
  /** `start` grows with every delivery of a task, starts given back included: a new one voids the text before it. */
  draft(runId: string, after: string | null, limit?: number): Promise<DraftEntry[]>

  /** Takes up to `limit` runs that are due for a look, by re-scoring them `againInMs` later in one script. */
  takeDue(lane: string, limit: number, againInMs: number): Promise<Due>
  /** A page may hold fewer than its limit, or none, and have a next one: what it looked at is bounded. */
  list(tenant: string, query: RunQuery): Promise<RunPage>
  /** The desk's list: a run stands in it from the commit that parks it to the one that closes its review. */
  parked(tenant: string, query: ParkedQuery): Promise<ParkedPage>
  /** The place of a parked run in it by deadline, from 1, and how many stand in it; null where it is not parked. */
  parkedPlace(run: Run): Promise<{ at: number; of: number } | null>

  now(): Promise<number>
  /** Calls back whenever this run was committed, by any process. Resolves when it listens, however long the store is away. */
  subscribe(runId: string, onMove: () => void): Promise<() => Promise<void>>
  /** Calls back with the tasks that a commit closed while another delivery than its own may be at work on them: a cancel, an end. */
  subscribeClosed(onClosed: (runId: string, taskIds: string[]) => void): Promise<() => Promise<void>>
}
