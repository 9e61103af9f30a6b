import { abandon, advance, end, type Moved, type Run } from '@plumbline/flow'
import { retryOf } from '@plumbline/platform'
import type { Disposition, LoopContext } from './context'
import { maxStarts } from './handler'
import { Stopped } from './in-flight'
import { dispatch, dispatchAll } from './move'
import { moveOpen, runHandler, storeTime, type OpenTask } from './run-handler'
import { StoreError } from './store-retry'
import { noteOutcome, noteTaskError } from './trace-run'

const longestBackoffMs = 30_000
const laterMs = 2_000

type Done = Disposition | 'again'

const observe = (loop: LoopContext, open: OpenTask, outcome: string): void => {
  noteOutcome(outcome)
  loop.observe?.({
    stage: loop.stage,
    kind: open.task.kind,
    outcome,
    ms: performance.now() - open.beganAt,
    redelivered: open.starts > 1,
  })
}

const settle = async (
  loop: LoopContext,
  open: OpenTask,
  outcome: string,
  compute: (run: Run) => Moved | { kind: 'stale' },
): Promise<Done> => {
  const { run, task, fence } = open
  const made = await moveOpen(loop, open, compute)
  switch (made.kind) {
    case 'moved': {
      await loop.retried(() => dispatch(loop, made.before, made.after))
      observe(loop, open, outcome)
      return { kind: 'done' }
    }
    case 'stale':
      await loop.retried(() => dispatchAll(loop, made.run))
      observe(loop, open, 'stale')
      return { kind: 'done' }
    case 'lost':
      return 'again'
    case 'crowded':
      await loop.retried(() => loop.store.uncountStarts(run.id, task.id, fence, 'all'))
      return { kind: 'later', inMs: laterMs }
    case 'gone':
    case 'late':
    case 'fenced':
      observe(loop, open, made.kind)
      return { kind: 'done' }
  }
}

const giveUp = (loop: LoopContext, open: OpenTask, reason: string): Promise<Done> => {
  loop.log.warn({ runId: open.run.id, taskId: open.task.id, reason }, 'task abandoned')
  return settle(loop, open, 'abandoned', (run) => abandon(run, open.task.id, reason, storeTime(open)))
}

/** Delivers the job again later, but not after the run's deadline, so that the run expires in time. */
const postpone = async (loop: LoopContext, open: OpenTask, error: unknown): Promise<Done> => {
  const notBefore =
    typeof error === 'object' && error !== null && 'notBefore' in error && typeof error.notBefore === 'number'
      ? error.notBefore
      : 0
  await loop.retried(() => loop.store.uncountStarts(open.run.id, open.task.id, open.fence, 'all'))
  const now = storeTime(open)
  const wished = notBefore > now ? notBefore - now : laterMs * (0.5 + Math.random())
  observe(loop, open, 'later')
  return { kind: 'later', inMs: Math.max(0, Math.min(wished, open.run.deadlineAt - now)) }
}

const fail = async (loop: LoopContext, open: OpenTask, error: unknown): Promise<Done> => {
  const { attempts, backoffMs } = loop.limits
  const reason = reasonOf(error)
  const errors = await loop.retried(() => loop.store.countError(open.run.id, open.task.id, open.fence))
  if (errors === null) return { kind: 'done' }
  if (errors >= attempts) return giveUp(loop, open, reason)
  loop.log.warn({ err: error, runId: open.run.id, taskId: open.task.id, errors }, 'task failed: retrying')
  observe(loop, open, 'error')
  return { kind: 'later', inMs: Math.min(backoffMs * 2 ** (errors - 1), longestBackoffMs) * (0.75 + Math.random() / 2) }
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Stopped) return 'task.timeout'
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : 'task.failed'
}

const failed = async (loop: LoopContext, open: OpenTask, error: unknown): Promise<Done> => {
  if (error instanceof StoreError) throw error
  if (error instanceof Stopped && error.why === 'closed') {
    observe(loop, open, 'cancelled')
    return 'again'
  }
  if (error instanceof Stopped && error.why === 'drain') {
    // This start is not counted, because repeated stops of workers would otherwise look like crashes.
    await loop.retried(() => loop.store.uncountStarts(open.run.id, open.task.id, open.fence, 'own'))
    observe(loop, open, 'handed-back')
    return { kind: 'back' }
  }
  noteTaskError(error)
  switch (retryOf(error)) {
    case 'later':
      return postpone(loop, open, error)
    case 'never':
      loop.log.warn({ err: error, runId: open.run.id, taskId: open.task.id }, 'task failed for good')
      return giveUp(loop, open, reasonOf(error))
    case undefined:
      return fail(loop, open, error)
  }
}

export const runTask = async (loop: LoopContext, open: OpenTask): Promise<Done> => {
  if (open.now >= open.run.deadlineAt) {
    return settle(loop, open, 'expired', (run) => end(run, { status: 'expired', by: loop.stage, at: storeTime(open) }))
  }
  if (await loop.budget?.isSpent(open.run.tenant, open.now)) {
    return settle(loop, open, 'overspent', (run) =>
      end(run, { status: 'overspent', by: 'budget', at: storeTime(open) }),
    )
  }
  if (open.starts > maxStarts) return giveUp(loop, open, 'task.crashed')
  try {
    const report = await runHandler(loop, open)
    return await settle(loop, open, report.result.outcome, (run) => advance(run, report))
  } catch (error) {
    return failed(loop, open, error)
  }
}
