import type { AskedMeanwhile, OpenRun } from '@plumbline/adapters/redis'
import { LostSource, runningOf, type SourcePorts, type Tally } from './source-run'

const tellEveryMs = 500

/**
 * Renews the lease of a source during a run and reports the progress. The signal aborts if another run may have taken
 * the lease, or if the source is to be removed.
 */
export const keepSource = ({ runs }: Pick<SourcePorts, 'runs'>, open: OpenRun, tally: Tally, stopped: AbortSignal) => {
  const lost = new AbortController()
  let asked: AskedMeanwhile = { wanted: open.wanted, removing: open.removing }
  let keptAt = performance.now()
  let told = ''
  let telling: Promise<void> = Promise.resolve()

  const tell = async (): Promise<void> => {
    const since = performance.now()
    const running = runningOf({ open, tally })
    const text = JSON.stringify(running)
    if (text === told && since - keptAt < runs.leaseMs / 4) return
    const noted = await runs.note(open, running)
    if (noted === null) return lost.abort(new LostSource())
    ;[asked, keptAt, told] = [noted, since, text]
    if (asked.removing !== open.removing) lost.abort(new Error('the source is to be removed'))
  }
  /**
   * If the store does not respond, the run ends after half of the lease. Until then the lease is still valid, so no
   * other run can have started.
   */
  const tellOrEnd = async (): Promise<void> => {
    try {
      await tell()
    } catch (error) {
      if (performance.now() - keptAt > runs.leaseMs / 2) lost.abort(error)
    }
  }
  const timer = setInterval(() => void (telling = telling.then(tellOrEnd)), tellEveryMs)
  return {
    first: tell(),
    signal: AbortSignal.any([lost.signal, stopped]),
    isAskedAgain: () => asked.wanted !== open.wanted,
    stop: async (): Promise<void> => {
      clearInterval(timer)
      await telling
    },
  }
}
