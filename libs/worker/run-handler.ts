import { addUsage, type Evidence, type ModelCall } from '@plumbline/contracts'
import {
  evidenceFor,
  show,
  startAhead,
  type Moved,
  type Stale,
  withGrades,
  type Report,
  type Run,
  type Task,
  type TaskKind,
} from '@plumbline/flow'
import type { LoopContext } from './context'
import type { Work } from './handler'
import { Stopped } from './in-flight'
import { dispatch, makeMove, type MoveOutcome } from './move'
import type { RunLock } from './run-mutex'

/** How long the loop waits for a stopped handler to return. */
const graceMs = 250

export type OpenTask = {
  run: Run
  version: string
  task: Task
  fence: string
  starts: number
  errors: number
  now: number
  lock: RunLock
  beganAt: number
}
/** Returns the store's time without asking the store: the store's time at `begin` plus the time since then. */
export const storeTime = ({ now, beganAt }: OpenTask): number => Math.round(now + performance.now() - beganAt)

const evidenceOf = async ({ store, retried }: LoopContext, run: Run, task: Task): Promise<Evidence[]> => {
  const ids = evidenceFor(run, task)
  return ids.length === 0 ? [] : withGrades(run, await retried(() => store.evidence(run.id, ids)))
}

/** Changes a run while one of its tasks is open. Stores nothing if a newer delivery of the job now owns the task. */
export const moveOpen = (
  loop: LoopContext,
  open: OpenTask,
  compute: (latest: Run) => Moved | Stale,
): Promise<MoveOutcome> => {
  const { run, version, task, fence, lock } = open
  return lock.alone(() =>
    makeMove(loop.retryingStore, {
      base: lock.latest ?? { run, version },
      by: { taskId: task.id, fence },
      compute,
      onBase: (base) => void (lock.latest = base),
    }),
  )
}

const openMoves = (
  loop: LoopContext,
  open: OpenTask,
  signal: AbortSignal,
): Pick<Work<TaskKind>, 'show' | 'startAhead' | 'latest'> => {
  const { run, task } = open
  const taskId = task.id
  return {
    show: async (part) => {
      if (signal.aborted) return false
      const made = await moveOpen(loop, open, (run) => show(run, { ...part, taskId, at: storeTime(open) }))
      return made.kind === 'moved'
    },
    startAhead: async () => {
      if (signal.aborted) return
      const made = await moveOpen(loop, open, (run) => startAhead(run, { taskId, at: storeTime(open) }))
      if (made.kind === 'moved') await loop.retried(() => dispatch(loop, made.before, made.after))
    },
    latest: async () => {
      const now = (await loop.retryingStore.load(run.id))?.run ?? run
      return { run: now, evidence: await evidenceOf(loop, now, task) }
    },
  }
}

/** The maximum length of one stored piece of a draft. It is small, because readers load dozens of pieces at once. */
const mostAtOnce = 2_000

/** Returns the first `most` characters, or one fewer, so that no surrogate pair is split. */
const firstOf = (text: string, most: number): string =>
  text.slice(0, (text.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most)

/** Streams the draft to readers. Errors are ignored, because the run itself does not need the stream. */
const draftSink = (store: LoopContext['store'], runId: string, taskId: string, fence: string) => {
  let pending = ''
  let sending: Promise<void> | undefined
  const send = async (): Promise<void> => {
    while (pending !== '') {
      const text = firstOf(pending, mostAtOnce)
      pending = pending.slice(text.length)
      await store.appendDraft(runId, { taskId, fence, text }).catch(() => {})
    }
    sending = undefined
  }
  return {
    take: (text: string) => {
      pending += text
      sending ??= send()
    },
    flushed: () => sending ?? Promise.resolve(),
  }
}

/** Returns a promise that rejects soon after the signal aborts, so that no handler blocks its slot for longer. */
const afterGrace = (signal: AbortSignal): { promise: Promise<never>; forget(): void } => {
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => {}
  const promise = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason as Error), graceMs)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
  return {
    promise,
    forget: () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

const addedCall = (before: ModelCall, { usage, ms, failed }: ModelCall): ModelCall => ({
  ...before,
  usage: addUsage(before.usage, usage),
  ...(ms !== undefined && { ms: (before.ms ?? 0) + ms }),
  ...(failed && { failed: { ...failed, calls: (before.failed?.calls ?? 0) + failed.calls } }),
})

const addCall = (calls: Map<string, ModelCall>, call: ModelCall): void => {
  const key = [call.skill, call.model, call.prompt, call.insteadBy].join(' ')
  const before = calls.get(key)
  calls.set(key, before ? addedCall(before, call) : call)
}

/** Runs the handler of a task. Throws if the handler was stopped, even if the handler still returned a result. */
export const runHandler = async (loop: LoopContext, open: OpenTask): Promise<Report> => {
  const { run, task, fence } = open
  const handler = loop.handlers[task.kind]
  if (!handler) throw new Error(`the stage ${loop.stage} has no handler for tasks of the kind ${task.kind}`)
  const controller = new AbortController()
  const { signal } = controller
  const release = loop.process.inFlight.add({ runId: run.id, taskId: task.id, since: open.beganAt, controller })
  const stopped = afterGrace(signal)
  const draft = draftSink(loop.store, run.id, task.id, fence)
  const calls = new Map<string, ModelCall>()
  const onCall = (call: ModelCall): void => {
    if (call.usage.calls > 0) loop.budget?.charge(run, call.usage, storeTime(open))
    if (!signal.aborted) addCall(calls, call)
  }
  const onDelta = (text: string): void => {
    if (!signal.aborted) draft.take(text)
  }
  let timer: NodeJS.Timeout | undefined
  try {
    const evidence = await evidenceOf(loop, run, task)
    const timeoutMs = Math.max(1, Math.min(loop.limits.timeoutMs, run.deadlineAt - storeTime(open)))
    timer = setTimeout(() => controller.abort(new Stopped('timeout')), timeoutMs)
    const handled = (async () =>
      handler({
        ...{ run, task: task as Work<TaskKind>['task'], evidence, signal, onCall, onDelta },
        ...(open.starts === 1 && openMoves(loop, open, signal)),
      }))()
    handled.catch(() => {})
    const result = await Promise.race([handled, stopped.promise])
    signal.throwIfAborted()
    await draft.flushed()
    const report = { taskId: task.id, kind: task.kind, beganAt: open.now, at: storeTime(open), result }
    return { ...report, ...(calls.size > 0 && { calls: [...calls.values()] }) } as Report
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    stopped.forget()
    release()
  }
}
