import type { Moved, Run } from '@plumbline/flow'
import type { Commit, Committed, RunStore } from '@plumbline/ports/run-store'
import { mark } from '../mark'
import type { Base } from './turns'

/** More tasks than this cannot move one run at once. */
const maxRaces = 64

type Compute = (run: Run) => Moved | { kind: 'stale' }
export type MoveOutcome =
  | { kind: 'moved'; before: Run; after: Run; version: string }
  | { kind: 'stale'; run: Run }
  | { kind: 'gone' | 'fenced' | 'lost' | 'crowded' }

type Ask = { base: Base; by: Commit['by']; compute: Compute; onBase?: (base: Base) => void }

/** Advance, commit; raced: reload and do both again, until the move stands or need not. */
export const makeMove = async (
  store: Pick<RunStore, 'commit' | 'load'>,
  { base, by, compute, onBase }: Ask,
): Promise<MoveOutcome> => {
  const runId = base.run.id
  for (let races = 0; races < maxRaces; races += 1) {
    const moved = compute(base.run)
    if (moved.kind === 'stale') return { kind: 'stale', run: base.run }
    const next = mark()
    const { kind }: Committed = await store.commit({
      run: moved.run,
      version: base.version,
      next,
      by,
      events: moved.events,
      evidence: moved.evidence,
    })
    if (kind === 'moved') {
      onBase?.({ run: moved.run, version: next })
      return { kind, before: base.run, after: moved.run, version: next }
    }
    if (kind !== 'raced') return { kind }
    const loaded = await store.load(runId)
    if (!loaded) return { kind: 'gone' }
    base = { run: loaded.run, version: loaded.version }
    onBase?.(base)
  }
  return { kind: 'crowded' }
}

/** A move that no task reports: a decision, a cancel, an expiry. `compute` gets the store's time. */
export const moveRun = async (
  store: Pick<RunStore, 'commit' | 'load'>,
  runId: string,
  compute: (run: Run, now: number) => Moved | { kind: 'stale' },
): Promise<MoveOutcome> => {
  const loaded = await store.load(runId)
  if (!loaded) return { kind: 'gone' }
  return makeMove(store, { base: loaded, by: null, compute: (run) => compute(run, loaded.now) })
}
