import { Inject, Injectable } from '@nestjs/common'
import type { Ask } from '@plumbline/contracts'
import { advance, lowered, start, type Moved, type Policy } from '@plumbline/flow'
import { Collections } from '../documents/collections.service'
import { accessOf } from '../door/access'
import type { Caller } from '../door/api-keys'
import type { PolicyBook } from '../policies/policy-book'
import { POLICIES, SETTINGS } from '../ports'
import type { Settings } from '../settings'
import { Threads } from './threads.service'

const defaultPolicy = 'standard'
const laneOf = (runId: string, lanes: string[]): string => lanes[parseInt(runId.slice(-6), 36) % lanes.length] ?? 'main'

const orRefuse = (moved: Moved | { kind: 'stale' }): Moved => {
  if (moved.kind === 'stale') throw new Error('a new run refused to be admitted')
  return moved
}

/** Makes the run of an ask, admitted: what it may read, by which policy, and where its thread stands. */
@Injectable()
export class Prepare {
  constructor(
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(POLICIES) private readonly policies: PolicyBook,
    private readonly collections: Collections,
    private readonly threads: Threads,
  ) {}

  async run(
    caller: Caller,
    { policy, limits, collection, threadId, access, ...ask }: Ask,
    id: string,
    at: number,
  ): Promise<Moved> {
    const { tenant } = caller
    const { webOn, models, lanes } = this.settings
    const reading = accessOf(caller, access)
    const readable = await this.collections.readable(caller, collection, reading)
    const inThread =
      threadId === undefined ? undefined : await this.threads.last({ tenant, access: reading }, threadId, id)
    const named = this.held(this.policies.named(policy ?? readable.policy ?? defaultPolicy), tenant)
    const asked = start(
      {
        ...ask,
        access: reading,
        id,
        tenant,
        lane: laneOf(id, lanes),
        collections: readable.names,
        webOn,
        skills: models.label,
        threadId,
        inThread,
        at,
      },
      limits ? lowered(named, limits) : named,
    )
    const admitted = orRefuse(
      advance(asked.run, { kind: 'admit', taskId: 'admit', result: { outcome: 'admitted' }, at }),
    )
    return { ...admitted, events: [...asked.events, ...admitted.events] }
  }

  /** Whoever asks by key gets no marked draft unless their tenant is said to want it. */
  private held(policy: Policy, tenant: string): Policy {
    const { marked } = this.settings
    return policy.whenSpent !== 'mark' || marked === null || marked.includes(tenant)
      ? policy
      : { ...policy, whenSpent: 'park' }
  }
}
