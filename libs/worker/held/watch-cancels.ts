import type { Log } from '@plumbline/platform'
import type { RunStore } from '@plumbline/ports/run-store'
import { Stopped, type Held } from './held'

const everyMs = 200

type Ports = { store: Pick<RunStore, 'subscribe' | 'load'>; held: Held; log: Pick<Log, 'warn'> }

/** Stops a handler whose task was closed by someone else: a cancel, an expiry, a newer delivery. Looked at in beats, so that a busy run costs no more than a quiet one. */
export const watchCancels = async ({ store, held, log }: Ports): Promise<() => Promise<void>> => {
  const moved = new Set<string>()
  const look = async (runId: string): Promise<void> => {
    const loaded = await store.load(runId)
    const open = new Set(loaded?.run.open.map(({ id }) => id))
    for (const task of held.ofRun(runId)) if (!open.has(task.taskId)) task.controller.abort(new Stopped('closed'))
  }
  const beat = (): void => {
    const stillHeld = [...moved].filter((runId) => held.ofRun(runId).length > 0)
    moved.clear()
    for (const runId of stillHeld) {
      look(runId).catch((error: unknown) => {
        moved.add(runId)
        log.warn({ err: error }, 'cannot see whether a held run goes on')
      })
    }
  }
  const unsubscribe = await store.subscribe((runId) => {
    if (held.ofRun(runId).length > 0) moved.add(runId)
  })
  const timer = setInterval(beat, everyMs)
  return async () => {
    clearInterval(timer)
    await unsubscribe()
  }
}
