import { Counter, type Registry } from 'prom-client'
import type { LedgerEvent, ModelCall } from '@plumbline/contracts'
import type { RunStore } from '@plumbline/ports/run-store'

export type OnMoved = (events: LedgerEvent[]) => void

const fails = (event: LedgerEvent): boolean =>
  event.type === 'answer-graded' &&
  event.claims.some(({ kind, verdict }) => kind !== 'style' && verdict !== 'supported')

/** Counts what happens to runs. In one process gateway and workers share a registry, and then the series too. */
export const createRunMetrics = (registry: Registry): OnMoved => {
  const counter = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> =>
    (registry.getSingleMetric(name) as Counter<L> | undefined) ??
    new Counter({ name, help, labelNames, registers: [registry] })
  const ends = counter('plumbline_runs_ended_total', 'Runs that ended, by status and reason.', ['status', 'reason'])
  const parks = counter('plumbline_runs_parked_total', 'Drafts held for a decision, by reason.', ['reason'])
  const rewrites = counter('plumbline_rewrites_total', 'Queries written again because their evidence was poor.', [])
  const spent = counter(
    'plumbline_counters_spent_total',
    'Rewrites, web searches, regenerations and augments, by counter.',
    ['counter'],
  )
  const failures = counter('plumbline_grounding_failures_total', 'Drafts with a claim that does not stand.', [])
  const calls = counter(
    'plumbline_model_calls_total',
    'Calls of models, by skill and model; `instead` where it is not the one that was set.',
    ['skill', 'model', 'instead'],
  )
  const tokens = counter('plumbline_model_tokens_total', 'Tokens sent to models and written by them.', [
    'model',
    'direction',
  ])
  const cents = counter('plumbline_model_cents_total', 'What models cost, as far as their prices are known.', ['model'])
  const called = ({ skill, model, insteadBy, usage }: ModelCall): void => {
    calls.inc({ skill, model, instead: insteadBy ?? '' }, Math.max(1, usage.calls))
    tokens.inc({ model, direction: 'in' }, usage.tokensIn)
    tokens.inc({ model, direction: 'out' }, usage.tokensOut)
    cents.inc({ model }, usage.cents)
  }
  return (events) => {
    for (const event of events) {
      if (event.type === 'ended') ends.inc({ status: event.status, reason: event.reason })
      if (event.type === 'parked') parks.inc({ reason: event.reason })
      if (event.type === 'counter-spent') spent.inc({ counter: event.counter })
      if (event.type === 'counter-spent' && event.counter === 'rewrites') rewrites.inc()
      if (event.type === 'called') event.calls.forEach(called)
      if (fails(event)) failures.inc()
    }
  }
}

/** Whoever commits a move counts its events, once: over all processes the sums are exact. */
export const counting = <S extends RunStore>(store: S, onMoved: OnMoved): S => ({
  ...store,
  commit: async (commit) => {
    const committed = await store.commit(commit)
    if (committed.kind === 'moved') onMoved(commit.events)
    return committed
  },
})
