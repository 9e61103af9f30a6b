import { Injectable } from '@nestjs/common'
import type { AbandonedList, BulkReplay, BulkReplayed, Replayed, RunStatus } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Caller } from '../http/authenticate'
import { hasRole, readsContent } from '../http/caller'
import { inPieces } from '../http/in-pieces'
import { notFound, refusalOf } from '../http/problem'
import { Common, RunPorts, OpsPorts, withGatewayTimeout } from '../ports'
import { type AskWithTurns, Asks } from '../runs/ask.service'
import { collectionsAgain } from '../runs/collections-again'
import { isFor } from '../runs/runs.service'

/** The maximum number of listed tasks. The store keeps more tasks, so that enough remain after filtering by tenant. */
const maxShownTasks = 200
const withoutAnswer = new Set<RunStatus>(['failed', 'expired', 'unanswered'])

const askOf = ({
  question,
  policy,
  collections,
  named,
  filters,
  metadata,
  threadId,
  inThread,
  access,
}: Run): AskWithTurns => ({
  question,
  policy: policy.name,
  repeats: true,
  ...collectionsAgain({ collections, named }),
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
    private readonly common: Common,
    private readonly runPorts: RunPorts,
    private readonly opsPorts: OpsPorts,
    private readonly asks: Asks,
  ) {}

  async list(caller: Caller): Promise<AbandonedList> {
    const { history } = this.opsPorts
    const { store } = this.runPorts
    const all = await withGatewayTimeout(() => history.abandoned())
    const entries = all.filter(({ tenant }) => this.mayList(caller, tenant)).slice(0, maxShownTasks)
    const runs = await store.loadMany(entries.map(({ runId }) => runId))
    return {
      items: entries.flatMap((entry, i) => {
        const run = runs[i]
        const isReadable = run !== null && run !== undefined && isFor(caller, run)
        // Omits runs of the caller's own tenant that the caller may not read.
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

  async replayMany(caller: Caller, asked: BulkReplay): Promise<BulkReplayed> {
    const runIds = asked.runIds ? [...new Set(asked.runIds)] : await this.inRange(caller, asked)
    const one = async (runId: string): Promise<BulkReplayed['items'][number]> => {
      try {
        return { runId, replayed: await this.replay(caller, runId) }
      } catch (error) {
        const { problem } = refusalOf(error)
        if (problem.status >= 500)
          this.common.log.warn({ err: error, runId }, 'one question of a bulk replay could not be asked again')
        return { runId, problem: problem.detail }
      }
    }
    return { items: await inPieces(runIds, one) }
  }

  private async inRange(caller: Caller, { from = '', to }: BulkReplay): Promise<string[]> {
    const [since, until] = [Date.parse(from), to === undefined ? Infinity : Date.parse(to)]
    const all = await withGatewayTimeout(() => this.opsPorts.history.abandoned())
    const meant = all.filter(({ tenant, at }) => this.mayList(caller, tenant) && at >= since && at < until)
    const runs = await this.runPorts.store.loadMany([...new Set(meant.map(({ runId }) => runId))])
    return runs.flatMap((run) => (run && withoutAnswer.has(run.status) && this.mayReplay(caller, run) ? [run.id] : []))
  }

  private mayList(caller: Caller, tenant: string): boolean {
    return hasRole(caller, 'operator') || tenant === caller.tenant
  }

  private mayReplay(caller: Caller, run: Run): boolean {
    return run.tenant === caller.tenant ? isFor(caller, run) : hasRole(caller, 'operator')
  }

  /** Asks the question again with the access of the abandoned run. A repeated call returns the same new run. */
  async replay(caller: Caller, runId: string): Promise<Replayed> {
    const run = (await this.runPorts.store.load(runId))?.run
    const given = run && Object.values(run.closed).includes('abandoned')
    if (!run || !given || !this.mayReplay(caller, run)) throw notFound('abandoned run')
    const asker: Caller = { ...caller, tenant: run.tenant, access: run.access ?? [] }
    const again = await this.asks.ask(asker, askOf(run), `replay of ${runId}`)
    this.common.log.info({ runId, again: again.id, by: caller.name }, 'question of an abandoned run asked again')
    return { runId: again.id, tenant: run.tenant }
  }
}
