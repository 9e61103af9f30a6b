import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { EndStatus, type LedgerEvent, type ModelCall, reasons } from '@plumbline/contracts'
import { type Run, taskMap } from '@plumbline/flow'
import type { RunStore } from '@plumbline/ports/run-store/run-store'
import type { InFlight, Observed } from '@plumbline/worker'
import { failsItsCheck, type OnMoved, timeOf } from './count-moves'

export type WorkerMetrics = {
  registry: Registry
  observe(observed: Observed): void
  healed(jobs: number): void
  inFlight(inFlight: InFlight): void
}

const seconds = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export const createMetrics = (): WorkerMetrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const time = new Histogram({
    name: 'plumbline_task_seconds',
    help: 'Duration of a task, from its start to the dispatch of its result.',
    labelNames: ['stage', 'task'],
    buckets: seconds,
    registers,
  })
  const tasks = new Counter({
    name: 'plumbline_tasks_total',
    help: 'Tries to process open tasks, by outcome.',
    labelNames: ['stage', 'task', 'outcome'],
    registers,
  })
  const again = new Counter({
    name: 'plumbline_redelivered_total',
    help: 'Tasks that a process runs one at a time, because an earlier start ended without a result.',
    labelNames: ['stage'],
    registers,
  })
  const abandoned = new Counter({
    name: 'plumbline_abandoned_total',
    help: 'Abandoned tasks, which crashed or failed more often than the limit.',
    labelNames: ['stage', 'task'],
    registers,
  })
  const healed = new Counter({
    name: 'plumbline_jobs_healed_total',
    help: 'Lost jobs that the periodic check of runs added again.',
    registers,
  })
  // Start each series at 0. Otherwise, Prometheus would miss the first increase of a series.
  for (const [task, { stage }] of Object.entries(taskMap)) abandoned.inc({ stage, task }, 0)
  return {
    registry,
    observe: ({ stage, kind, outcome, ms, redelivered }) => {
      time.observe({ stage, task: kind }, ms / 1_000)
      tasks.inc({ stage, task: kind, outcome })
      if (redelivered) again.inc({ stage })
      if (outcome === 'abandoned') abandoned.inc({ stage, task: kind })
    },
    healed: (jobs) => healed.inc(jobs),
    inFlight: (inFlight) => {
      const collect = function (this: Gauge): void {
        this.set(inFlight.size)
      }
      new Gauge({ name: 'plumbline_tasks_held', help: 'Tasks this process is working on.', registers, collect })
    },
  }
}

type Counting = <L extends string>(name: string, help: string, labelNames: L[]) => Counter<L>

const mostTenants = 200

/**
 * Returns the tenant label of a metric. After `mostTenants` tenants, further tenants get the label `*`, because too
 * many label values overload Prometheus.
 */
const boundedTenants = (): ((tenant: string) => string) => {
  const named = new Set<string>()
  return (tenant) => {
    if (named.size < mostTenants) named.add(tenant)
    return named.has(tenant) ? tenant : '*'
  }
}

const byTenant = (registry: Registry, counter: Counting): ((run: Run, event: LedgerEvent) => void) => {
  const tenantEnds = counter('plumbline_tenant_runs_ended_total', 'Runs that ended, by tenant and policy.', [
    'tenant',
    'policy',
    'status',
  ])
  const tenantCents = counter('plumbline_tenant_cents_total', 'Cost of models, by tenant and policy.', [
    'tenant',
    'policy',
  ])
  const decisions = counter('plumbline_decisions_total', 'Decisions about held drafts, by action.', ['action'])
  const strategies = counter('plumbline_strategies_total', 'Rewritten queries, by strategy.', ['strategy'])
  const rewritten = counter('plumbline_runs_rewritten_total', 'Ended runs with a rewritten query.', ['status'])
  const time =
    (registry.getSingleMetric('plumbline_run_seconds') as Histogram | undefined) ??
    new Histogram({
      name: 'plumbline_run_seconds',
      help: 'Time from a question to the end of its run or, if the answer is held, to its first hold.',
      buckets: seconds,
      registers: [registry],
    })
  const tenantOf = boundedTenants()
  return (run, event) => {
    const ms = timeOf(run, event)
    if (ms !== null) time.observe(ms / 1_000)
    const named = { tenant: tenantOf(run.tenant), policy: run.policy.name }
    if (event.type === 'ended') tenantEnds.inc({ ...named, status: event.status })
    if (event.type === 'ended' && run.spent.rewrites > 0) rewritten.inc({ status: event.status })
    if (event.type === 'called') for (const { usage } of event.calls) tenantCents.inc(named, usage.cents)
    if (event.type === 'decided') decisions.inc({ action: event.action })
    if (event.type === 'queried' && event.strategy) strategies.inc({ strategy: event.strategy })
  }
}

export const createRunMetrics = (registry: Registry): OnMoved => {
  const counter: Counting = <L extends string>(name: string, help: string, labelNames: L[]): Counter<L> =>
    (registry.getSingleMetric(name) as Counter<L> | undefined) ??
    new Counter({ name, help, labelNames, registers: [registry] })
  const ends = counter('plumbline_runs_ended_total', 'Runs that ended, by status and reason.', ['status', 'reason'])
  for (const reason of Object.keys(reasons)) {
    const status = EndStatus.safeParse(reason.split('.')[0])
    if (status.success) ends.inc({ status: status.data, reason }, 0)
  }
  const parks = counter('plumbline_runs_parked_total', 'Drafts held for a decision, by reason.', ['reason'])
  const rewrites = counter('plumbline_rewrites_total', 'Queries rewritten because their evidence was poor.', [])
  const spent = counter(
    'plumbline_counters_spent_total',
    'Retries of runs by kind: rewrites, web searches, regenerations and augments.',
    ['counter'],
  )
  const failures = counter('plumbline_grounding_failures_total', 'Drafts with an unsupported claim.', [])
  const calls = counter(
    'plumbline_model_calls_total',
    'Calls of models, by skill and model. `instead` is true if the call used another model than the configured one.',
    ['skill', 'model', 'instead'],
  )
  const tokens = counter('plumbline_model_tokens_total', 'Tokens sent to models and written by them.', [
    'model',
    'direction',
  ])
  const cents = counter(
    'plumbline_model_cents_total',
    'Cost of models. Models without a known price are not counted.',
    ['model'],
  )
  const called = ({ skill, model, insteadBy, usage }: ModelCall): void => {
    calls.inc({ skill, model, instead: insteadBy ?? '' }, Math.max(1, usage.calls))
    tokens.inc({ model, direction: 'in' }, usage.tokensIn)
    tokens.inc({ model, direction: 'out' }, usage.tokensOut)
    cents.inc({ model }, usage.cents)
  }
  const onEvent = byTenant(registry, counter)
  return ({ run, events }) => {
    for (const event of events) {
      onEvent(run, event)
      if (event.type === 'ended') ends.inc({ status: event.status, reason: event.reason })
      if (event.type === 'parked') parks.inc({ reason: event.reason })
      if (event.type === 'counter-spent') spent.inc({ counter: event.counter })
      if (event.type === 'counter-spent' && event.counter === 'rewrites') rewrites.inc()
      if (event.type === 'called') event.calls.forEach(called)
      if (failsItsCheck(event)) failures.inc()
    }
  }
}

/**
 * Reports the run changes that this process commits. Changes of other processes are not reported, so that sums over all
 * processes are exact.
 */
export const countMoves = <S extends RunStore>(store: S, ...listeners: OnMoved[]): S => ({
  ...store,
  create: async (run, events, bodyHash) => {
    const created = await store.create(run, events, bodyHash)
    if (created.kind === 'created') for (const onMoved of listeners) onMoved({ run, events })
    return created
  },
  commit: async (commit) => {
    const committed = await store.commit(commit)
    if (committed.kind === 'moved') for (const onMoved of listeners) onMoved(commit)
    return committed
  },
})
