import { Injectable } from '@nestjs/common'
import type { FlagRow } from '@plumbline/adapters/redis/flags/flags'
import type { FeedbackRow } from '@plumbline/adapters/redis/runs/feedback'
import type { Evidence, Feedback, FeedbackList, GivenFeedback, RunFeedback } from '@plumbline/contracts'
import { questionOf, type Run } from '@plumbline/flow'
import type { Caller } from '../http/authenticate'
import { hasRole } from '../http/caller'
import { notFound } from '../http/problem'
import { Metrics } from '../ops/metrics.service'
import { RunPorts, ReviewPorts, withGatewayTimeout } from '../ports'
import { iso, passagesOf, releasedAnswer } from '../present/answer'
import { isFor, Runs } from './runs.service'

type FeedbackAsked = { cursor?: string | undefined; limit: number; useful?: boolean | undefined }

const flagRow = (run: Run, shown: Evidence[], at: number, note: string | undefined): FlagRow => ({
  id: run.id,
  question: questionOf(run),
  policy: run.policy.name,
  collections: [...run.collections].sort(),
  documents: [...new Map(shown.map(({ documentId: id, title }) => [id, { id, title }])).values()],
  ...(note !== undefined && { note }),
  flaggedAt: iso(at),
  status: 'open',
  ...(run.access !== undefined && { access: run.access }),
  ...(run.filters && { filters: run.filters }),
  ...(run.named && { named: run.named }),
})

const withoutKey = ({ by: _, ...given }: GivenFeedback): GivenFeedback => given

@Injectable()
export class FeedbackDesk {
  constructor(
    private readonly runPorts: RunPorts,
    private readonly reviewPorts: ReviewPorts,
    private readonly runs: Runs,
    private readonly metrics: Metrics,
  ) {}

  async put(caller: Caller, runId: string, feedback: Feedback): Promise<void> {
    const run = await this.runs.get(caller, runId)
    const at = await this.runPorts.store.now()
    if (!feedback.useful) await this.flag(run, feedback.note, at)
    const given = { ...feedback, at: iso(at), by: caller.name }
    if (!(await this.runPorts.feedback.put(run.tenant, runId, given, at))) throw notFound('run')
    this.metrics.feedback.inc({ useful: `${feedback.useful}` })
  }

  async of(caller: Caller, runId: string): Promise<RunFeedback> {
    await this.runs.get(caller, runId)
    const items = await this.runPorts.feedback.of(runId)
    return { items: hasRole(caller, 'reviewer') ? items : items.map(withoutKey) }
  }

  async list(caller: Caller, { useful, ...page }: FeedbackAsked): Promise<FeedbackList> {
    const wanted = ({ items }: FeedbackRow): boolean =>
      useful === undefined || items.some((one) => one.useful === useful)
    const { rows, next } = await this.runPorts.feedback.list(caller.tenant, { ...page, wanted })
    const runs = await this.runPorts.store.loadMany(rows.map(({ runId }) => runId))
    const items = rows.flatMap((row, at) => {
      const run = runs[at]
      return run && isFor(caller, run) ? [{ ...row, question: run.question, policy: run.policy.name }] : []
    })
    return { items, next }
  }

  private async flag(run: Run, note: string | undefined, at: number): Promise<void> {
    const answer = releasedAnswer(run)
    if (!answer) return
    const { store, pinnedAnswers } = this.runPorts
    const { flags } = this.reviewPorts
    await withGatewayTimeout(() => pinnedAnswers.drop(run))
    const shown = passagesOf(answer)
    const row = flagRow(run, shown.length > 0 ? await store.evidence(run.id, shown) : [], at, note)
    const reread = (await flags.get(run.tenant, run.id))?.reread
    await flags.put(run.tenant, { ...row, ...(reread && { reread }) }, at)
  }
}
