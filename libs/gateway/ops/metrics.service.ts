import { Inject, Injectable } from '@nestjs/common'
import { Counter, Gauge, type Registry } from 'prom-client'
import { REGISTRY } from '../ports'

@Injectable()
export class Metrics {
  readonly asks: Counter<'policy'>
  readonly feedback: Counter<'useful'>
  readonly streams: Gauge
  readonly jobs: Gauge<'lane' | 'queue' | 'state'>
  readonly oldest: Gauge<'lane' | 'queue'>
  readonly parked: Gauge<'lane'>

  constructor(@Inject(REGISTRY) readonly registry: Registry) {
    const registers = [registry]
    this.asks = new Counter({
      name: 'plumbline_asks_total',
      help: 'Questions taken in, by policy.',
      labelNames: ['policy'],
      registers,
    })
    this.feedback = new Counter({
      name: 'plumbline_feedback_total',
      help: 'What askers said of answers.',
      labelNames: ['useful'],
      registers,
    })
    this.streams = new Gauge({ name: 'plumbline_streams', help: 'Open event streams.', registers })
    this.jobs = new Gauge({
      name: 'plumbline_queue_jobs',
      help: 'Jobs by lane, queue and state.',
      labelNames: ['lane', 'queue', 'state'],
      registers,
    })
    this.oldest = new Gauge({
      name: 'plumbline_queue_oldest_seconds',
      help: 'Age of the oldest waiting job.',
      labelNames: ['lane', 'queue'],
      registers,
    })
    this.parked = new Gauge({
      name: 'plumbline_parked_runs',
      help: 'Runs that wait for a decision.',
      labelNames: ['lane'],
      registers,
    })
  }
}
