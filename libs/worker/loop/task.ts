import type { Evidence, Usage } from '@plumbline/contracts'
import { abandon, advance, end, evidenceFor, withGrades, type Moved, type Run, type Task } from '@plumbline/flow'
import { retryOf } from '@plumbline/platform'
import type { Disposition } from '../delivery'
import { Stopped } from '../held/held'
import { maxStarts } from '../limits'
import { dispatch, dispatchAll } from '../move/dispatch'
import { makeMove } from '../move/move'
import type { Base, Turn } from '../move/turns'
import { StoreError } from '../patience/patience'
import type { LoopContext } from './context'
import { work } from './work'

const longestBackoffMs = 30_000
const laterMs = 2_000

export type OpenTask = {
  run: Run
  version: string
  task: Task
  fence: string
  starts: number
  errors: number
  now: number
  turn: Turn
  redelivered: boolean
  beganAt: number
}
type Done = Disposition | 'again'

/** The store's time: what `begin` returned, and what passed since on a clock nobody sets. */
const storeTime = ({ now, beganAt }: OpenTask): number => Math.round(now + performance.now() - beganAt)

const observe = (loop: LoopContext, open: OpenTask, outcome: string): void =>
  loop.observe?.({
    stage: loop.stage,
    kind: open.task.kind,
    outcome,
    ms: performance.now() - open.beganAt,
    redelivered: open.redelivered,
  })

/** Commits a move of this delivery and dispatches what it opened. */
const settle = async (
  loop: LoopContext,
  open: OpenTask,
  outcome: string,
  compute: (run: Run) => Moved | { kind: 'stale' },
): Promise<Done> => {
  const { run, version, task, fence, turn } = open
  const by = { taskId: task.id, fence }
  const onBase = (base: Base): void => {
    turn.latest = base
  }
  const made = await turn.alone(() =>
    makeMove(loop.patientStore, { base: turn.latest ?? { run, version }, by, compute, onBase }),
  )
  switch (made.kind) {
    case 'moved': {
      await loop.patiently(() => dispatch(loop, made.before, made.after))
      observe(loop, open, outcome)
      return { kind: 'done' }
    }
    case 'stale':
      await loop.patiently(() => dispatchAll(loop, made.run))
      observe(loop, open, 'stale')
      return { kind: 'done' }
    case 'lost':
      return 'again'
    case 'crowded':
      return { kind: 'later', inMs: laterMs }
    case 'gone':
    case 'fenced':
      observe(loop, open, made.kind)
      return { kind: 'done' }
  }
}

const giveUp = (loop: LoopContext, open: OpenTask, reason: string): Promise<Done> => {
  loop.log.warn({ runId: open.run.id, taskId: open.task.id, reason }, 'task abandoned')
  return settle(loop, open, 'abandoned', (run) => abandon(run, open.task.id, reason, storeTime(open)))
}

const evidenceOf = async ({ store, patiently }: LoopContext, run: Run, task: Task): Promise<Evidence[]> => {
  const ids = evidenceFor(run, task)
  return ids.length === 0 ? [] : withGrades(run, await patiently(() => store.evidence(run.id, ids)))
}

/** Holds the task where a cancel, a drain and the time limit can reach its handler. */
const handle = async (loop: LoopContext, open: OpenTask) => {
  const { run, task, starts } = open
  const handler = loop.handlers[task.kind]
  if (!handler) throw new Error(`the ${loop.stage} has no handler for ${task.kind}`)
  const controller = new AbortController()
  const release = loop.process.held.add({ runId: run.id, taskId: task.id, since: open.beganAt, controller })
  try {
    const evidence = await evidenceOf(loop, run, task)
    const charge = (usage: Usage): void => loop.budget?.charge(run, usage, storeTime(open))
    const startedAt = storeTime(open)
    const timeoutMs = Math.max(1, Math.min(loop.limits.timeoutMs, run.deadlineAt - startedAt))
    return await work({
      run,
      task,
      starts,
      evidence,
      startedAt,
      handler,
      store: loop.store,
      charge,
      controller,
      timeoutMs,
    })
  } finally {
    release()
  }
}

/** Comes again at `notBefore`, or at the run's deadline when that is sooner: then it expires. */
const postpone = async (loop: LoopContext, open: OpenTask, error: unknown): Promise<Done> => {
  const notBefore =
    typeof error === 'object' && error !== null && 'notBefore' in error && typeof error.notBefore === 'number'
      ? error.notBefore
      : 0
  await loop.patiently(() => loop.store.uncountStart(open.run.id, open.task.id, open.fence))
  const now = storeTime(open)
  const wished = notBefore > now ? notBefore - now : laterMs * (0.5 + Math.random())
  observe(loop, open, 'later')
  return { kind: 'later', inMs: Math.max(0, Math.min(wished, open.run.deadlineAt - now)) }
}

const fail = async (loop: LoopContext, open: OpenTask, error: unknown): Promise<Done> => {
  const { attempts, backoffMs } = loop.limits
  const reason = reasonOf(error)
  const errors = await loop.patiently(() => loop.store.countError(open.run.id, open.task.id, open.fence))
  if (errors === null) return { kind: 'done' }
  if (errors >= attempts) return giveUp(loop, open, reason)
  loop.log.warn({ err: error, runId: open.run.id, taskId: open.task.id, errors }, 'task failed; it will be tried again')
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
    await loop.store.uncountStart(open.run.id, open.task.id, open.fence)
    observe(loop, open, 'handed-back')
    return { kind: 'back' }
  }
  switch (retryOf(error)) {
    case 'later':
      return postpone(loop, open, error)
    case 'never':
      loop.log.warn({ err: error, runId: open.run.id, taskId: open.task.id }, 'task cannot be done')
      return giveUp(loop, open, reasonOf(error))
    case undefined:
      return fail(loop, open, error)
  }
}

/** An open task whose fence is ours. */
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
    const report = await handle(loop, open)
    return await settle(loop, open, report.result.outcome, (run) => advance(run, report))
  } catch (error) {
    return failed(loop, open, error)
  }
}
