import { Inject, Injectable } from '@nestjs/common'
import type { Ask } from '@plumbline/contracts'
import { advance, held, lowered, start, type Moved, type Policy } from '@plumbline/flow'
import { ruleFor } from '@plumbline/hosting/routing/rules'
import { Collections } from '../documents/collections.service'
import { accessOf } from '../door/access'
import type { Caller } from '../door/api-keys'
import type { PolicyBook } from '../policies/policy-book'
import { POLICIES, SETTINGS } from '../ports'
import type { Settings } from '../settings'
import { StoreClock } from './store-clock.service'
import { Threads } from './threads.service'

/** `isKnown`: the run of this id is stored already. `gone`: nobody waits for it any more. */
type Asked = { id: string; isKnown: boolean; gone: AbortSignal | undefined }

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
    private readonly clock: StoreClock,
  ) {}

  async run(
    caller: Caller,
    { policy, limits, collection, threadId, access, ...ask }: Ask,
    { id, isKnown, gone }: Asked,
  ): Promise<Moved> {
    const { tenant } = caller
    const { webOn, models, lanes, rules } = this.settings
    const reading = accessOf(caller, access)
    const readable = await this.collections.readable(caller, collection, reading)
    const ruled = ruleFor(rules, { tenant, question: ask.question, collections: readable.names })?.then.policy
    const named = this.mayBe(tenant, this.policies.named(policy ?? ruled ?? readable.policy ?? defaultPolicy))
    const inThread =
      threadId === undefined || isKnown
        ? undefined
        : await this.threads.enter({ tenant, access: reading }, { threadId, id, gone })
    const at = this.clock.now()
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

  /** An asker by key cannot choose a weaker hold, by whichever policy, unless the operator named their tenant. */
  private mayBe(tenant: string, policy: Policy): Policy {
    const { marked } = this.settings
    return marked === null || marked.includes(tenant) ? policy : held(policy)
  }
}
