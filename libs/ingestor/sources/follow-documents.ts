import { setTimeout as sleep } from 'node:timers/promises'
import { nextRunAfter } from '@plumbline/hosting/sources/schedule'
import type { Moves } from './bring'
import type { Plan } from './plan'
import { removePath } from './remove-path'
import { begin, eachOf, failFile, idOf, type SourceRun } from './source-run'

const lookEveryMs = 250
const lookedAt = 200
const removedAtOnce = 8

/** Returns the paths whose documents are indexed or have failed. Records the reasons of failures. */
const settled = async (run: SourceRun, paths: readonly string[]): Promise<string[]> => {
  const { ports, open, tally } = run
  const states = await ports.runs.states(
    open.tenant,
    paths.map((path) => idOf(run, path)),
  )
  return paths.filter((path) => {
    const { status, error = '' } = states.get(idOf(run, path)) ?? {}
    if (status === 'failed') failFile(tally, path, error)
    return status !== 'queued' && status !== 'processing'
  })
}

/**
 * Waits until the imported documents are indexed, or until another run is due or requested. After a moved file is
 * indexed at its new path, removes the document at its old path. If this run ends earlier, the next run removes that
 * document.
 */
export const followDocuments = async (run: SourceRun, { bring, retag }: Plan, moves: Moves): Promise<void> => {
  const { open, tally, signal } = run
  const next = nextRunAfter(open.source.schedule, open.now) ?? Infinity
  const isBrought = (path: string): boolean => !['skipped', 'failed', undefined].includes(tally.became.get(path))
  let waiting = [...retag, ...bring].map(({ item: { path } }) => path).filter(isBrought)
  begin(tally, 'index', waiting.length)
  while (waiting.length > 0 && !run.isAskedAgain() && Date.now() < next) {
    const first = waiting.slice(0, lookedAt)
    const through = new Set(await settled(run, first))
    const left = [...through].flatMap((path) => moves.found.get(path) ?? [])
    await eachOf(left, removedAtOnce, (path) => removePath(run, path))
    tally.done += through.size
    waiting = waiting.filter((path) => !through.has(path))
    if (through.size < first.length) await sleep(lookEveryMs, undefined, { signal })
  }
}
