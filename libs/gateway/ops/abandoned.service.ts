import { Inject, Injectable } from '@nestjs/common'
import type { AbandonedList, Replayed } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Caller } from '../http/authenticate'
import { hasRole, readsContent } from '../http/caller'
import { notFound } from '../http/problem'
import { PORTS, withGatewayTimeout, type GatewayPorts } from '../ports'
import { type AskWithTurns, Asks } from '../runs/ask.service'
import { isFor } from '../runs/runs.service'

/** More tasks are stored, so that enough remain after filtering by tenant. */
const maxShownTasks = 200

/** If the run used several collections, the collections are selected again. */
const askOf = ({
  question,
  policy,
  collections,
  filters,
  metadata,
  threadId,
  inThread,
  access,
}: Run): AskWithTurns => ({
  question,
  policy: policy.name,
  repeats: true,
  ...(collections.length === 1 && { collection: collections[0] }),
  ...(filters && { filters }),
  ...(metadata && { metadata }),
  ...(threadId !== undefined && { threadId }),
  ...(inThread && inThread.runId === undefined && { turns: [...(inThread.turns ?? []), inThread] }),
  ...(access !== undefined && access !== 'all' && { access }),
  deadlineMs: policy.deadlineMs,
  ...(policy.releaseBySentence === 'off' && { releaseBySentence: 'off' }),
})

@Injectable()
export class Abandoned {
  constructor(
    @Inject(PORTS) private readonly ports: GatewayPorts,
    private readonly asks: Asks,
  ) {}

  async list(caller: Caller): Promise<AbandonedList> {
    const { history, store } = this.ports
    const all = await withGatewayTimeout(() => history.abandoned())
    const entries = all
      .filter(({ tenant }) => hasRole(caller, 'operator') || tenant === caller.tenant)
      .slice(0, maxShownTasks)
    const runs = await store.loadMany(entries.map(({ runId }) => runId))
    return {
      items: entries.flatMap((entry, i) => {
        const run = runs[i]
        const isReadable = run !== null && run !== undefined && isFor(caller, run)
        // An operator also sees runs of other tenants, but without their questions.
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

  /** Uses the access of the abandoned run. A repeated call returns the same new run. */
  async replay(caller: Caller, runId: string): Promise<Replayed> {
    const run = (await this.ports.store.load(runId))?.run
    const given = run && Object.values(run.closed).includes('abandoned')
    const mayAct = run && (run.tenant === caller.tenant ? isFor(caller, run) : hasRole(caller, 'operator'))
    if (!run || !given || !mayAct) throw notFound('abandoned run')
    const asker: Caller = { ...caller, tenant: run.tenant, access: run.access ?? [] }
    const again = await this.asks.ask(asker, askOf(run), `replay of ${runId}`)
    this.ports.log.info({ runId, again: again.id, by: caller.name }, 'question of an abandoned run asked again')
    return { runId: again.id, tenant: run.tenant }
  }
}
