import type { LedgerEntry, RunStore } from '@plumbline/ports/run-store/run-store'
import { Refusal } from '../http/problem'

export const takenByOther = (who: string): Refusal =>
  new Refusal('review-taken', `${who} has this draft open. Wait until ${who} releases it or the lease ends.`)

export const notParked = (): Refusal =>
  new Refusal(
    'review-stale',
    'The run is not parked: it was decided or cancelled, or the time for a decision is over. Load the list again.',
  )

/** All events fit into memory, because a run has limits on its state changes and notes. */
export const ledgerOf = async (store: Pick<RunStore, 'ledger'>, runId: string): Promise<LedgerEntry[]> => {
  const all: LedgerEntry[] = []
  for (let more = true; more;) {
    const entries = await store.ledger(runId, all.at(-1)?.id ?? null, 500)
    all.push(...entries)
    more = entries.length === 500
  }
  return all
}
