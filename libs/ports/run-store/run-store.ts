import type { Evidence, LedgerEvent, RunStatus } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'

export type Created = { kind: 'created' } | { kind: 'exists'; run: Run } | { kind: 'conflict' }

/** `suspect`: the task started before without reporting and the caller does not stand in isolation; nothing was counted or fenced. */
export type Begun =
  | { kind: 'gone'; now: number }
  | { kind: 'closed'; run: Run; now: number }
  | { kind: 'suspect'; starts: number; now: number }
  | { kind: 'open'; run: Run; version: string; starts: number; errors: number; now: number }

export type Loaded = { run: Run; version: string; now: number }

export type Commit = {
  run: Run
  /** The version this move was computed from. */
  version: string
  /** The version this move makes, fresh and random, from a caller that may go on from it; without one the store makes its own. */
  next?: string
  /** The delivery that reports; null for moves no task reports (a decision, an end, an abandon). */
  by: { taskId: string; fence: string } | null
  events: LedgerEvent[]
  evidence: Evidence[]
}
/** `raced`: another task moved the run; `fenced`: a newer delivery owns the task; `lost`: no fence at all; `gone`: no such run. */
export type Committed = { kind: 'moved' | 'raced' | 'fenced' | 'lost' | 'gone' }

export type LedgerEntry = { id: string; event: LedgerEvent }
type DraftDelta = { taskId: string; start: number; text: string }
export type DraftEntry = { id: string; delta: DraftDelta }
export type RunPage = { ids: string[]; next: string | null }
type RunRef = { lane: string; runId: string }

export interface RunStore {
  /** Step 1 of an ask, before `create`: the run is looked at even if its creator dies. */
  schedule(ref: RunRef, at: number): Promise<void>
  unschedule(ref: RunRef): Promise<void>
  /** `bodyHash` is empty where the run's id is random and can never come again. */
  create(run: Run, events: LedgerEvent[], bodyHash: string): Promise<Created>

  begin(runId: string, taskId: string, fence: string, where: { isolated: boolean }): Promise<Begun>
  commit(commit: Commit): Promise<Committed>
  /**
   * Counts an error of a task whose fence is still ours, once per fence, and gives its start back: who reports an error did not crash.
   * Returns the count, or null when the fence is not ours.
   */
  countError(runId: string, taskId: string, fence: string): Promise<number | null>
  /** Gives a start back and lets go of the fence (a drained worker hands its task on, a task waits for a provider). */
  uncountStart(runId: string, taskId: string, fence: string): Promise<void>

  load(runId: string): Promise<Loaded | null>
  loadMany(runIds: string[]): Promise<(Run | null)[]>
  evidence(runId: string, passageIds: string[]): Promise<Evidence[]>
  ledger(runId: string, after: string | null, limit: number): Promise<LedgerEntry[]>
  /** Only the newest delivery of an open task is heard; `start` is the count that `begin` returned. */
  appendDraft(runId: string, delta: DraftDelta): Promise<void>
  /** Here `start` grows with every delivery of a task, starts given back included: a new one voids the text before it. */
  draft(runId: string, after: string | null): Promise<DraftEntry[]>

  /** Takes up to `limit` runs that are due for a look, by re-scoring them `againInMs` later in one script. */
  takeDue(lane: string, limit: number, againInMs: number): Promise<string[]>
  list(tenant: string, page: { cursor: string | null; limit: number; status?: RunStatus }): Promise<RunPage>

  now(): Promise<number>
  /** Calls back with the id of every run that was committed, by any process. Resolves when it listens, however long the store is away. */
  subscribe(onRun: (runId: string) => void): Promise<() => Promise<void>>
}
