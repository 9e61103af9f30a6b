import type { Run } from '@plumbline/flow'
import { runOf } from './run-text'

export type Known = { version: string; run: Run }
/** What the store answered: the run's text, or '' where its version is the one we named. */
export type Told = { version: string; text: string; policy: string | null | undefined }

/** Runs as this process saw them last. A version is random and never comes again, so whoever has it has the run. */
export const knownRuns = (most = 1_000) => {
  const known = new Map<string, Known>()
  /** The newest are kept; an ended run is not needed again. */
  const keep = (version: string, run: Run): Run => {
    known.delete(run.id)
    if (run.open.length > 0) known.set(run.id, { version, run })
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return run
  }
  return {
    keep,
    get: (runId: string): Known | undefined => known.get(runId),
    runOf: (named: Known | undefined, { version, text, policy }: Told): Run =>
      text === '' && named?.version === version ? named.run : keep(version, runOf(text, policy)),
  }
}
export type KnownRuns = ReturnType<typeof knownRuns>
