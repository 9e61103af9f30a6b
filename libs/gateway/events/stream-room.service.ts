import { Injectable } from '@nestjs/common'
import { Refusal } from '../door/problem'
import { Metrics } from '../ops/metrics.service'
import { bounds } from '../settings'

/** How many streams are open, in all and per tenant: one tenant cannot take every place. */
@Injectable()
export class StreamRoom {
  private readonly byTenant = new Map<string, number>()
  private all = 0

  constructor(private readonly metrics: Metrics) {}

  enter(tenant: string): () => void {
    const own = this.byTenant.get(tenant) ?? 0
    if (this.all >= bounds.streams || own >= bounds.streamsPerTenant) {
      throw new Refusal(
        'too-many-requests',
        'Too many event streams are open. Close some, or read the run or the document itself.',
        {
          retryAfter: 5,
        },
      )
    }
    this.change(tenant, 1)
    return () => this.change(tenant, -1)
  }

  private change(tenant: string, by: 1 | -1): void {
    const own = (this.byTenant.get(tenant) ?? 0) + by
    if (own > 0) this.byTenant.set(tenant, own)
    else this.byTenant.delete(tenant)
    this.all += by
    this.metrics.streams.inc(by)
  }
}
