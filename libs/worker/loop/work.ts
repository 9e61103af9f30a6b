import type { Evidence, ModelCall, Usage } from '@plumbline/contracts'
import { addUsage } from '@plumbline/contracts'
import type { Report, Result, Run, Task, TaskKind } from '@plumbline/flow'
import type { RunStore } from '@plumbline/ports/run-store'
import type { StageHandler, Work } from '../handler'
import { Stopped } from '../held/held'

/** How long a handler may take to notice that it was stopped, before it is left behind. */
const graceMs = 250

/** A handler that was typed by its task's kind, held under a common type. */
export type AnyHandler = (work: Work<TaskKind>) => Promise<Result<TaskKind>>
export const anyHandler = <K extends TaskKind>(handler: StageHandler<K>): AnyHandler => handler as unknown as AnyHandler

type Begun = { run: Run; task: Task; starts: number; evidence: Evidence[]; startedAt: number }
type Ask = Begun & {
  handler: AnyHandler
  store: Pick<RunStore, 'appendDraft'>
  charge?: (usage: Usage) => void
  controller: AbortController
  timeoutMs: number
}

/** Sends draft text in order, one append at a time, joining what came in meanwhile; a lost piece is no loss of the run. */
const draftSink = (store: Ask['store'], runId: string, taskId: string, start: number) => {
  let pending = ''
  let sending: Promise<void> | undefined
  const send = async (): Promise<void> => {
    while (pending !== '') {
      const text = pending
      pending = ''
      await store.appendDraft(runId, { taskId, start, text }).catch(() => {})
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

/** Rejects when the signal aborts and the grace is over, so that a handler that ignores it cannot hold the slot. */
const outOfTime = (signal: AbortSignal): { promise: Promise<never>; forget(): void } => {
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

/** One row per skill and model: grading six passages is one thing done six times. */
const addCall = (calls: Map<string, ModelCall>, call: ModelCall): void => {
  const key = [call.skill, call.model, call.prompt, call.insteadBy].join(' ')
  const before = calls.get(key)
  calls.set(key, before ? { ...before, usage: addUsage(before.usage, call.usage) } : call)
}

/** Runs the handler under its time limit and turns its result into a report. A stopped handler's result counts for nothing. */
export const work = async ({
  run,
  task,
  starts,
  evidence,
  startedAt,
  handler,
  store,
  charge,
  controller,
  timeoutMs,
}: Ask): Promise<Report> => {
  const { signal } = controller
  const began = performance.now()
  const timer = setTimeout(() => controller.abort(new Stopped('timeout')), timeoutMs)
  const draft = draftSink(store, run.id, task.id, starts)
  const late = outOfTime(signal)
  const calls = new Map<string, ModelCall>()
  const onCall = (call: ModelCall): void => {
    if (call.usage.calls > 0) charge?.(call.usage)
    if (!signal.aborted) addCall(calls, call)
  }
  const onDelta = (text: string): void => {
    if (!signal.aborted) draft.take(text)
  }
  const handled = (async () =>
    handler({ run, task: task as Work<TaskKind>['task'], evidence, signal, onCall, onDelta }))()
  handled.catch(() => {})
  try {
    const result = await Promise.race([handled, late.promise])
    signal.throwIfAborted()
    await draft.flushed()
    const at = Math.round(startedAt + performance.now() - began)
    return {
      taskId: task.id,
      kind: task.kind,
      at,
      result,
      ...(calls.size > 0 && { calls: [...calls.values()] }),
    } as Report
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
    late.forget()
  }
}
