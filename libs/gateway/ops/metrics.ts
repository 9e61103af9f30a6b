import { Counter, Gauge, register } from 'prom-client'
import type { LedgerEvent } from '@plumbline/contracts'

// The registry belongs to the process: in one process with workers, both count into the same series.
const counter = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> =>
  (register.getSingleMetric(name) as Counter<L> | undefined) ?? new Counter({ name, help, labelNames })
const gauge = <L extends string>(name: string, help: string, labelNames: L[]): Gauge<L> =>
  (register.getSingleMetric(name) as Gauge<L> | undefined) ?? new Gauge({ name, help, labelNames })

const asks = counter('plumbline_asks_total', 'Questions taken in, by policy', ['policy'])
const ends = counter('plumbline_runs_ended_total', 'Runs that ended, by status and reason', ['status', 'reason'])
const parks = counter('plumbline_runs_parked_total', 'Runs held for a decision, by reason', ['reason'])
const spent = counter('plumbline_counters_spent_total', 'Rewrites, web searches, regenerations and augments spent', ['counter'])
const ungrounded = counter('plumbline_grounding_failures_total', 'Drafts with claims that do not stand', [])
const opinions = counter('plumbline_feedback_total', 'What askers said of answers', ['useful'])

export const depth = gauge('plumbline_queue_jobs', 'Jobs by lane, queue and state', ['lane', 'queue', 'state'])
export const oldest = gauge('plumbline_queue_oldest_seconds', 'Age of the oldest waiting job', ['lane', 'queue'])
export const parked = gauge('plumbline_parked_runs', 'Runs that wait for a decision', ['lane'])
export const streams = gauge('plumbline_streams', 'Open event streams', [])

export const countAsk = (policy: string): void => asks.inc({ policy })
export const countFeedback = (useful: boolean): void => opinions.inc({ useful: `${useful}` })

/** Whoever commits a move counts its events, once: over all processes the sum is exact. */
export const countEvents = (events: LedgerEvent[]): void => {
  for (const event of events) {
    if (event.type === 'ended') ends.inc({ status: event.status, reason: event.reason })
    if (event.type === 'parked') parks.inc({ reason: event.reason })
    if (event.type === 'counter-spent') spent.inc({ counter: event.counter })
    if (event.type === 'answer-graded' && event.claims.some((claim) => claim.kind !== 'style' && claim.verdict !== 'supported')) ungrounded.inc()
  }
}
