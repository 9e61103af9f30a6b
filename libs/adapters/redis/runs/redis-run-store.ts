import type { LedgerEvent } from '@plumbline/contracts'
import { reviewTask, type Run } from '@plumbline/flow'
import type { Committed, LedgerEntry, RunStore } from '@plumbline/ports/run-store/run-store'
import { openChannels } from '../client/channels'
import { throughCall, withStoreErrors } from '../client/errors'
import { closedTasksChannel, keys } from '../client/keys'
import { dueTaker } from '../client/due-queue'
import { isUnfinished } from '../limits/ask-quotas'
import { openContext, type Context, type RunStoreOptions } from './context'
import { createRuns } from './create-runs'
import { listParked, parkedPosition, readParked, unlistParked } from './parked-list'
import { listRuns, loadMany } from './run-lists'
import { evidenceOf, freshVersion, retentionStart, json, openIds, runOf, textOf, textOfEvidence } from './run-text'

export type RedisRunStore = RunStore & { close(): Promise<void> }

const draftTtlMs = 10 * 60_000
/** The types of events that can cause a webhook call. */
const news = new Set<LedgerEvent['type']>(['parked', 'escalated', 'decided', 'ended'])

type BeginReply =
  | [kind: 'gone', now: number]
  | [kind: 'suspect', now: number, starts: number]
  | [kind: 'closed', now: number, version: string, text: string, policy: string | null]
  | [
      kind: 'open',
      now: number,
      version: string,
      text: string,
      policy: string | null,
      starts: number,
      errors: number,
      first: string,
    ]

const beginning =
  ({ scripts, known }: Context): RunStore['begin'] =>
  async (runId, taskId, fence, where) => {
    const named = known.get(runId)
    const told = [taskId, fence, where.isolated ? 1 : 0, named?.version ?? '', where.spanId ?? '']
    const reply = (await scripts.runBegin(keys.state(runId), ...told)) as BeginReply
    const [kind, now] = reply
    switch (kind) {
      case 'gone':
        return { kind, now }
      case 'suspect':
        return { kind, now, starts: reply[2] }
      case 'closed': {
        const [, , version, text, policy] = reply
        return { kind, now, run: known.runOf(runId, named, version, () => runOf(text, policy)) }
      }
      case 'open': {
        const [, , version, text, policy, starts, errors, first] = reply
        const run = known.runOf(runId, named, version, () => runOf(text, policy))
        return { kind, run, version, starts, errors, now, ...(first && { first }) }
      }
      default:
        throw new SyntaxError(`the Redis script \`begin\` returned the unknown result ${String(kind)}`)
    }
  }

/**
 * Returns the key of the tenant's unfinished runs if the run has ended or waits for review, so that the commit removes
 * the run from this key. On a cluster, `unschedule` and `rest` remove the run instead, because the key is in another
 * slot.
 */
const countKeyOf = ({ redis }: Context, { id, tenant, status }: Run): string =>
  isUnfinished(status) || redis.isCluster ? keys.state(id) : keys.asks(tenant, 'unfinished')

const committing =
  (context: Context): RunStore['commit'] =>
  async ({ run, version, next = freshVersion(), by, before, events, evidence, isListed }) => {
    if (!isListed) await listParked(context, run)
    const send = (): Promise<unknown> =>
      context.scripts.runCommit(
        keys.state(run.id),
        keys.ledger(run.id),
        keys.evidence(run.id),
        countKeyOf(context, run),
        by?.taskId ?? '',
        by?.fence ?? '',
        version,
        next,
        textOf(run),
        openIds(run),
        run.status,
        retentionStart(run),
        run.id,
        closedTasksChannel,
        before ?? '',
        reviewTask(run) ? keys.parked(run.tenant, 'rows') : '',
        events.length,
        ...json(events),
        ...evidence.flatMap((passage) => [passage.id, textOfEvidence(passage)]),
      )
    const isNews = events.some(({ type }) => news.has(type))
    const reply = isNews ? await context.notice(run.tenant, run.id, send) : await send()
    const [kind, openBefore] = reply as [Committed['kind'], string?]
    if (kind === 'moved') context.known.moved(version, next, run, evidence)
    if (openBefore) await unlistParked(context, run, openBefore)
    return { kind }
  }

const moving = (
  context: Context,
): Pick<
  RunStore,
  'begin' | 'commit' | 'countError' | 'uncountStarts' | 'appendDraft' | 'evidence' | 'takeDue' | 'rest' | 'relist'
> => {
  const { redis, scripts, known, settle } = context
  const takeDue = dueTaker(redis)
  return throughCall(withStoreErrors, {
    begin: beginning(context),
    commit: committing(context),
    countError: async (runId, taskId, fence) =>
      (await scripts.runCountError(keys.state(runId), taskId, fence)) as number | null,
    uncountStarts: async (runId, taskId, fence, which) =>
      void (await scripts.runUncountStarts(keys.state(runId), taskId, fence, which)),
    appendDraft: async (runId, { taskId, fence, text }) =>
      void (await scripts.runAppendDraft(keys.state(runId), keys.draft(runId), taskId, fence, text, draftTtlMs)),
    evidence: async (runId, passageIds) => {
      const passages = known.get(runId)?.passages
      const unknown = passageIds.filter((id) => !passages?.has(id))
      const texts = unknown.length > 0 ? await redis.hmget(keys.evidence(runId), ...unknown) : []
      const read = new Map(unknown.map((id, at) => [id, texts[at]]))
      return passageIds.flatMap((id) => {
        const text = read.get(id)
        return passages?.get(id) ?? (text ? [evidenceOf(text)] : [])
      })
    },
    takeDue: async (lane, limit, againInMs) => {
      const { now, ids } = await takeDue(keys.open(lane), limit, againInMs)
      return { runIds: ids, now, nextDue: now + againInMs }
    },
    rest: async (run, nextDue) => {
      const dueAt = reviewTask(run)?.dueAt
      if (dueAt === undefined) return
      await settle(run.tenant, run.id, run.usage)
      const postponed = await scripts.runsPostpone(keys.open(run.lane), run.id, nextDue, dueAt)
      if (postponed === 1) await listParked(context, run)
    },
    relist: (run) => listParked(context, run),
  } satisfies Partial<RunStore>)
}

const reading = (
  context: Context,
): Pick<RunStore, 'load' | 'ledger' | 'ledgerFrom' | 'draft' | 'parked' | 'parkedPlace' | 'unschedule' | 'now'> => {
  const { redis, scripts, known, call, settle } = context
  const ledger = async (runId: string, from: string, limit: number): Promise<LedgerEntry[]> => {
    const entries = await redis.xrange(keys.ledger(runId), from, '+', 'COUNT', limit)
    return entries.map(([id, fields]) => ({ id, event: JSON.parse(fields[1] ?? '') as LedgerEvent }))
  }
  return throughCall(call, {
    load: async (runId) => {
      const named = known.get(runId)
      const reply = await scripts.runLoad(keys.state(runId), named?.version ?? '')
      const [now, version, text = '', policy] = reply as [number, string?, string?, string?]
      if (version === undefined) return null
      return { run: known.runOf(runId, named, version, () => runOf(text, policy)), version, now }
    },
    ledger: (runId, after, limit) => ledger(runId, after ? `(${after}` : '-', limit),
    ledgerFrom: async (runId, after, limit) => {
      const entries = await ledger(runId, after ?? '-', limit + 1)
      if (after === null) return entries.length > 0 ? entries.slice(0, limit) : null
      return entries[0]?.id === after ? entries.slice(1) : null
    },
    draft: async (runId, after, limit = Number.MAX_SAFE_INTEGER) => {
      const entries = await redis.xrange(keys.draft(runId), after ? `(${after}` : '-', '+', 'COUNT', limit)
      return entries.map(([id, [, taskId = '', , start = '', , text = '']]) => ({
        id,
        delta: { taskId, start: Number(start), text },
      }))
    },
    parked: (tenant, query) => readParked(context, tenant, query),
    parkedPlace: (run) => parkedPosition(context, run),
    unschedule: async ({ lane, runId, tenant, usage }) => {
      // The run is removed from the list of open runs last, so that the sweeper finds the run if the process crashes in
      // between.
      if (tenant !== undefined) await settle(tenant, runId, usage)
      await redis.zrem(keys.open(lane), runId)
    },
    now: async () => {
      const [seconds, micros] = await redis.time()
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
    },
  } satisfies Partial<RunStore>)
}

/** `close` ends only the subscriptions. The caller must close the Redis client. */
export const openRedisRunStore = (options: RunStoreOptions): RedisRunStore => {
  const context = openContext(options)
  const { subscribe, close } = openChannels(context.redis)
  return {
    ...createRuns(context),
    ...moving(context),
    ...reading(context),
    ...throughCall(withStoreErrors, {
      list: (tenant, page) => listRuns(context, tenant, page),
      loadMany: (runIds) => loadMany(context, runIds),
      subscribe: (runId, onMove) => subscribe(keys.ledger(runId), onMove),
      subscribeClosed: (onClosed) =>
        subscribe(closedTasksChannel, (message) => {
          const [runId = '', ...taskIds] = message.split(' ')
          onClosed(runId, taskIds)
        }),
    } satisfies Partial<RunStore>),
    close,
  }
}
