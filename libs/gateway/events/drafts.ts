import type { DraftPiece } from '@plumbline/contracts'
import type { RunStore } from '@plumbline/ports/run-store'

/** Reads what was added to a run's draft as pieces that say where they belong, so that a stream that was cut can begin again. */
export const draftReader = (store: RunStore, runId: string): (() => Promise<DraftPiece | null>) => {
  let after: string | null = null
  let shown: { task: string; start: number; length: number } | undefined
  return async () => {
    const entries = await store.draft(runId, after)
    const last = entries.at(-1)
    if (!last) return null
    after = last.id
    const { taskId: task, start } = last.delta
    const text = entries
      .filter(({ delta }) => delta.taskId === task && delta.start === start)
      .map(({ delta }) => delta.text)
      .join('')
    const from = shown?.task === task && shown.start === start ? shown.length : 0
    shown = { task, start, length: from + text.length }
    return { type: 'draft', unchecked: true, task, start, from, text }
  }
}
