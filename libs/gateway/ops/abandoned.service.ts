import { Inject, Injectable } from '@nestjs/common'
import type { AbandonedList, Replayed } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Caller } from '../http/authenticate'
import { has, readsContent } from '../http/caller'
import { notFound } from '../http/problem'
import { PORTS, promptly, type GatewayPorts } from '../ports'
import { type Asking, Asks } from '../runs/ask.service'
import { isFor } from '../runs/runs.service'

/** What is shown of the list; more than one looks through is kept for those who ask by tenant. */
const shown = 200

/** What was asked, as the run keeps it. Its collections were resolved from it: one is named again, of several the readable ones are found anew. */
const askOf = ({ question, policy, collections, filters, metadata, threadId, inThread, access }: Run): Asking => ({
  question,
  policy: policy.name,
  ...(collections.length === 1 && { collection: collections[0] }),
  ...(filters && { filters }),
  ...(metadata && { metadata }),
  ...(threadId !== undefined && { threadId }),
  ...(inThread && inThread.runId === undefined && { turns: [...(inThread.turns ?? []), inThread] }),
  ...(access !== undefined && access !== 'all' && { access }),
  deadlineMs: policy.deadlineMs,
})

/** Tasks that were given up. */
@Injectable()
export class Abandoned {
  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly asks: Asks,
  ) {}

  async list(caller: Caller): Promise<AbandonedList> {
    const { history, store } = this.ports
    const all = await promptly(() => history.abandoned())
    const entries = all.filter(({ tenant }) => has(caller, 'operator') || tenant === caller.tenant).slice(0, shown)
    const runs = await store.loadMany(entries.map(({ runId }) => runId))
    return {
      items: entries.flatMap((entry, i) => {
        const run = runs[i]
        const isReadable = run !== null && run !== undefined && isFor(caller, run)
        // Of its own tenant's runs an admin sees those it may read; the operator sees of others that they are there.
        if (run && !isReadable && run.tenant === caller.tenant) return []
        return [
          {
            ...entry,
            at: new Date(entry.at).toISOString(),
            ...(isReadable && readsContent(caller) && { question: run.question }),
            ...(run && { status: run.status }),
          },
        ]
      }),
    }
  }

  /** Asks again with what the run was asked with and reads as it did. Replaying twice is replaying once. */
  async replay(caller: Caller, runId: string): Promise<Replayed> {
    const run = (await this.ports.store.load(runId))?.run
    const given = run && Object.values(run.closed).includes('abandoned')
    const mayAct = run && (run.tenant === caller.tenant ? isFor(caller, run) : has(caller, 'operator'))
    if (!run || !given || !mayAct) throw notFound('abandoned run')
    const asker: Caller = { ...caller, tenant: run.tenant, access: run.access ?? [] }
    const again = await this.asks.ask(asker, askOf(run), `replay of ${runId}`)
    this.ports.log.info({ runId, again: again.id, by: caller.name }, 'abandoned run asked again')
    return { runId: again.id, tenant: run.tenant }
  }
}
