import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Held, Observed } from '@plumbline/worker'

export type WorkerMetrics = {
  registry: Registry
  observe(observed: Observed): void
  healed(jobs: number): void
  held(held: Held): void
}

const seconds = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export const createMetrics = (): WorkerMetrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const time = new Histogram({
    name: 'plumbline_task_seconds',
    help: 'How long a task took, from begin to dispatch.',
    labelNames: ['stage', 'task'],
    buckets: seconds,
    registers,
  })
  const tasks = new Counter({
    name: 'plumbline_tasks_total',
    help: 'Deliveries of open tasks, by what became of them.',
    labelNames: ['stage', 'task', 'outcome'],
    registers,
  })
  const again = new Counter({
    name: 'plumbline_redelivered_total',
    help: 'Deliveries whose worker had died or lost its lock.',
    labelNames: ['stage'],
    registers,
  })
  const abandoned = new Counter({
    name: 'plumbline_abandoned_total',
    help: 'Tasks given up: poison, or errors spent.',
    labelNames: ['stage', 'task'],
    registers,
  })
  const healed = new Counter({
    name: 'plumbline_jobs_healed_total',
    help: 'Lost jobs the sweeper added again.',
    registers,
  })
  return {
    registry,
    observe: ({ stage, kind, outcome, ms, redelivered }) => {
      time.observe({ stage, task: kind }, ms / 1_000)
      tasks.inc({ stage, task: kind, outcome })
      if (redelivered) again.inc({ stage })
      if (outcome === 'abandoned') abandoned.inc({ stage, task: kind })
    },
    healed: (jobs) => healed.inc(jobs),
    held: (held) => {
      const collect = function (this: Gauge): void {
        this.set(held.size)
      }
      new Gauge({ name: 'plumbline_tasks_held', help: 'Tasks this process is working on.', registers, collect })
    },
  }
}
