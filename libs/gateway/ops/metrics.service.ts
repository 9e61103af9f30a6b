import { Injectable } from '@nestjs/common'
import { Counter, Gauge } from 'prom-client'
import { Common } from '../ports'

@Injectable()
export class Metrics {
  readonly asks: Counter<'policy'>
  readonly feedback: Counter<'useful'>
  readonly streams: Gauge
  readonly jobs: Gauge<'lane' | 'queue' | 'state'>
  readonly oldest: Gauge<'lane' | 'queue'>
  readonly parked: Gauge<'lane'>
  readonly tenantWaits: Gauge<'tenant'>
  readonly scaler: Gauge<'queue'>
  readonly memory: Gauge<'of'>

  constructor({ registry }: Common) {
    const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Gauge<Label> =>
      new Gauge({ name, help, labelNames, registers: [registry] })
    const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
      new Counter({ name, help, labelNames, registers: [registry] })
    this.asks = counter('plumbline_asks_total', 'Accepted questions, by policy.', 'policy')
    this.feedback = counter('plumbline_feedback_total', 'Feedback of askers on answers.', 'useful')
    this.streams = gauge('plumbline_streams', 'Open event streams.')
    this.jobs = gauge('plumbline_queue_jobs', 'Jobs by lane, queue and state.', 'lane', 'queue', 'state')
    this.oldest = gauge('plumbline_queue_oldest_seconds', 'Age of the oldest waiting job.', 'lane', 'queue')
    this.tenantWaits = gauge(
      'plumbline_tenant_longest_wait_seconds',
      'How long the oldest waiting job of a tenant has waited.',
      'tenant',
    )
    this.scaler = gauge(
      'plumbline_scaler_jobs',
      'Waiting, due and active jobs of a queue, for scaling its workers. The value is 0 while the queue is paused.',
      'queue',
    )
    this.memory = gauge(
      'plumbline_redis_memory_bytes',
      'Used and maximum memory of the fullest Redis node. A maximum of 0 means no limit.',
      'of',
    )
    this.parked = gauge('plumbline_parked_runs', 'Runs that wait for a decision.', 'lane')
  }
}
