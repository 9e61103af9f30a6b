import { setTimeout as sleep } from 'node:timers/promises'
import { nextRunAfter } from '../store/next-run'
import type { MovedFiles } from './import-file'
import type { Plan } from './plan/plan'
import { removePath } from './removal/remove-path'
import { beginTask, documentId, failFile, forEachLimited, type SourceRun } from './run/source-run'

const pollEveryMs = 250
const batchSize = 200
const parallelRemovals = 8

const finishedPaths = async (run: SourceRun, paths: readonly string[]): Promise<string[]> => {
  const { ports, open, tally } = run
  const states = await ports.runs.states(
    open.tenant,
    paths.map((path) => documentId(run, path)),
  )
  return paths.filter((path) => {
    const { status, error = '' } = states.get(documentId(run, path)) ?? {}
    if (status === 'failed') failFile(tally, path, error)
    return status !== 'queued' && status !== 'processing'
  })
}

/**
 * Waits until the imported documents are indexed. Then removes the documents at the old paths of moved files. If this
 * run ends earlier, the next run removes them.
 */
export const followDocuments = async (run: SourceRun, { toImport, retag }: Plan, moves: MovedFiles): Promise<void> => {
  const { open, tally, signal } = run
  const next = nextRunAfter(open.source.schedule, open.now) ?? Infinity
  const isImported = (path: string): boolean => !['skipped', 'failed', undefined].includes(tally.outcomes.get(path))
  let waiting = [...retag, ...toImport].map(({ item: { path } }) => path).filter(isImported)
  beginTask(tally, 'index', waiting.length)
  while (waiting.length > 0 && !run.isRunRequested() && Date.now() < next) {
    const first = waiting.slice(0, batchSize)
    const through = new Set(await finishedPaths(run, first))
    const left = [...through].flatMap((path) => moves.found.get(path) ?? [])
    await forEachLimited(left, parallelRemovals, (path) => removePath(run, path))
    tally.done += through.size
    waiting = waiting.filter((path) => !through.has(path))
    if (through.size < first.length) await sleep(pollEveryMs, undefined, { signal })
  }
}
