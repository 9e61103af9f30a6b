import type { Evidence, LedgerEvent, StreamEvent } from '@plumbline/contracts'
import { releasedAnswer, type Audience } from './audience'
import { hydrate, nearestIn, passagesOf } from './hydrate'

/** The passages an event shows: only the last event of a run has any. */
export const eventPassages = (event: LedgerEvent): string[] =>
  event.type === 'ended' && event.answer ? passagesOf(event.answer) : []

/** A ledger event as this audience may see it, or null. */
export const streamEvent = (event: LedgerEvent, evidence: Evidence[], audience: Audience): StreamEvent | null => {
  if (audience === 'asker' && event.audience !== 'asker') return null
  if (event.type !== 'ended') return event
  const { answer: kept, by, ...told } = event
  const ended = audience === 'desk' && by !== undefined ? { ...told, by } : told
  const answer = audience === 'desk' ? kept : releasedAnswer(event)
  return answer ? { ...ended, answer: hydrate(answer, evidence), nearest: nearestIn(answer, evidence) } : ended
}
