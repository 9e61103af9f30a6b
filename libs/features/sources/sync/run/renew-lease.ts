import type { AskedMeanwhile, OpenRun } from '../../store/source-runs'
import { LostSource, progressOf, type SyncPorts, type Tally } from './source-run'

const noteEveryMs = 500

/**
 * Renews the lease of a source while a run syncs the source. The returned signal aborts if another run may own the
 * lease, or if the source is being removed.
 */
export const renewLease = ({ runs }: Pick<SyncPorts, 'runs'>, open: OpenRun, tally: Tally, stopped: AbortSignal) => {
  const lost = new AbortController()
  let requested: AskedMeanwhile = { wanted: open.wanted, removing: open.removing }
  let renewedAt = performance.now()
  let lastNoted = ''
  let noting: Promise<void> = Promise.resolve()

  const noteProgress = async (): Promise<void> => {
    const since = performance.now()
    const running = progressOf({ open, tally })
    const text = JSON.stringify(running)
    if (text === lastNoted && since - renewedAt < runs.leaseMs / 4) return
    const noted = await runs.note(open, running)
    if (noted === null) return lost.abort(new LostSource())
    ;[requested, renewedAt, lastNoted] = [noted, since, text]
    if (requested.removing !== open.removing) lost.abort(new Error('the source is being removed'))
  }
  /** Stops the run only if renewals fail for more than half of the lease time. Before that, no other run can start. */
  const noteOrEnd = async (): Promise<void> => {
    try {
      await noteProgress()
    } catch (error) {
      if (performance.now() - renewedAt > runs.leaseMs / 2) lost.abort(error)
    }
  }
  const timer = setInterval(() => void (noting = noting.then(noteOrEnd)), noteEveryMs)
  return {
    first: noteProgress(),
    signal: AbortSignal.any([lost.signal, stopped]),
    isRunRequested: () => requested.wanted !== open.wanted,
    stop: async (): Promise<void> => {
      clearInterval(timer)
      await noting
    },
  }
}
