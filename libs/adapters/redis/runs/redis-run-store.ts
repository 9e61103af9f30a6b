import type { LedgerEvent } from '@plumbline/contracts'
import { reviewTask } from '@plumbline/flow'
import type { Begun, Committed, LedgerEntry, RunStore } from '@plumbline/ports/run-store/run-store'
import { openChannels } from '../client/channels'
import { throughCall, withStoreErrors } from '../client/errors'
import { closedChannel, keys } from '../client/keys'
import { dueTaker } from '../client/sorted-sets'
import { openContext, type Context, type RunStoreOptions } from './context'
import { createRuns } from './create-runs'
import { listParked, listRuns, placeOfParked, readParked, unlistParked } from './run-lists'
import {
  evidenceOf,
  freshVersion,
  horizon,
  json,
  openIds,
  runOf,
  textOf,
  textOfEvidence,
  type Known,
  type KnownRuns,
} from './run-text'

export type RedisRunStore = RunStore & { close(): Promise<void> }

const draftTtlMs = 10 * 60_000
/** What webhooks may be told of. */
const news = new Set<LedgerEvent['type']>(['parked', 'escalated', 'decided', 'ended'])

const begunOf = (known: KnownRuns, named: Known | undefined, reply: unknown): Begun => {
  const [kind, now, ...rest] = reply as [Begun['kind'], number, ...unknown[]]
  switch (kind) {
    case 'gone':
      return { kind, now }
    case 'suspect':
      return { kind, now, starts: rest[0] as number }
    case 'closed':
    case 'open': {
      type Open = [string, string, string | null, number?, number?, string?]
      const [version, text, policy, starts = 0, errors = 0, first] = rest as Open
      const run = known.runOf(named, { version, text, policy })
      return kind === 'closed'
        ? { kind, run, now }
        : { kind, run, version, starts, errors, now, ...(first && { first }) }
    }
    default:
      throw new SyntaxError(`begin answered ${String(kind)}`)
  }
}

const committing =
  (context: Context): RunStore['commit'] =>
  async ({ run, version, next = freshVersion(), by, before, events, evidence, isListed }) => {
    if (!isListed) await listParked(context, run)
    const send = (): Promise<unknown> =>
      context.scripts.runCommit(
        keys.state(run.id),
        keys.ledger(run.id),
        keys.evidence(run.id),
        by?.taskId ?? '',
        by?.fence ?? '',
        version,
        next,
        textOf(run),
        openIds(run),
        run.status,
        horizon(run),
        run.id,
        closedChannel,
        before ?? '',
        reviewTask(run) ? keys.parked(run.tenant, 'rows') : '',
        events.length,
        ...json(events),
        ...evidence.flatMap((passage) => [passage.id, textOfEvidence(passage)]),
      )
    const isNews = events.some(({ type }) => news.has(type))
    const reply = isNews ? await context.notice(run.tenant, run.id, send) : await send()
    const [kind, openBefore] = reply as [Committed['kind'], string?]
    if (kind === 'moved') context.known.keep(next, run)
    if (openBefore) await unlistParked(context, run, openBefore)
    return { kind }
  }

/** What workers call, as patient as their client. */
const moving = (
  context: Context,
): Pick<
  RunStore,
  'begin' | 'commit' | 'countError' | 'uncountStarts' | 'appendDraft' | 'evidence' | 'takeDue' | 'rest' | 'relist'
> => {
  const { redis, scripts, known } = context
  const takeDue = dueTaker(redis)
  return throughCall(withStoreErrors, {
    begin: async (runId, taskId, fence, where) => {
      const named = known.get(runId)
      const isolated = where.isolated ? 1 : 0
      const told = [taskId, fence, isolated, named?.version ?? '', where.spanId ?? '']
      const reply = await scripts.runBegin(keys.state(runId), ...told)
      return begunOf(known, named, reply)
    },
    commit: committing(context),
    countError: async (runId, taskId, fence) =>
      (await scripts.runCountError(keys.state(runId), taskId, fence)) as number | null,
    uncountStarts: async (runId, taskId, fence, which) =>
      void (await scripts.runUncountStarts(keys.state(runId), taskId, fence, which)),
    appendDraft: async (runId, { taskId, fence, text }) =>
      void (await scripts.runAppendDraft(keys.state(runId), keys.draft(runId), taskId, fence, text, draftTtlMs)),
    evidence: async (runId, passageIds) => {
      if (passageIds.length === 0) return []
      const found = await redis.hmget(keys.evidence(runId), ...passageIds)
      return found.flatMap((passage) => (passage ? [evidenceOf(passage)] : []))
    },
    takeDue: async (lane, limit, againInMs) => {
      const { now, ids } = await takeDue(keys.open(lane), limit, againInMs)
      return { runIds: ids, now, nextLook: now + againInMs }
    },
    rest: async (run, nextLook) => {
      const dueAt = reviewTask(run)?.dueAt
      if (dueAt === undefined) return
      const postponed = await scripts.runsPostpone(keys.open(run.lane), run.id, nextLook, dueAt)
      if (postponed === 1) await listParked(context, run)
    },
    relist: (run) => listParked(context, run),
  } satisfies Partial<RunStore>)
}

/** What somebody may wait for at the gateway. */
const reading = (
  context: Context,
): Pick<
  RunStore,
  'load' | 'loadMany' | 'ledger' | 'ledgerFrom' | 'draft' | 'list' | 'parked' | 'parkedPlace' | 'unschedule' | 'now'
> => {
  const { redis, scripts, known, call } = context
  const ledger = async (runId: string, from: string, limit: number): Promise<LedgerEntry[]> => {
    const entries = await redis.xrange(keys.ledger(runId), from, '+', 'COUNT', limit)
    return entries.map(([id, fields]) => ({ id, event: JSON.parse(fields[1] ?? '') as LedgerEvent }))
  }
  return throughCall(call, {
    load: async (runId) => {
      const named = known.get(runId)
      const reply = await scripts.runLoad(keys.state(runId), named?.version ?? '')
      const [now, version, text = '', policy] = reply as [number, string?, string?, string?]
      return version === undefined ? null : { run: known.runOf(named, { version, text, policy }), version, now }
    },
    loadMany: (runIds) =>
      Promise.all(
        runIds.map(async (id) => {
          const [run, policy] = await redis.hmget(keys.state(id), 'run', 'policy')
          return run ? runOf(run, policy) : null
        }),
      ),
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
    list: (tenant, page) => listRuns(redis, tenant, page),
    parked: (tenant, query) => readParked(context, tenant, query),
    parkedPlace: (run) => placeOfParked(context, run),
    unschedule: async ({ lane, runId }) => void (await redis.zrem(keys.open(lane), runId)),
    now: async () => {
      const [seconds, micros] = await redis.time()
      return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
    },
  } satisfies Partial<RunStore>)
}

/** The run store on Redis or a Redis Cluster. The client passed in stays the caller's to close. */
export const openRedisRunStore = (options: RunStoreOptions): RedisRunStore => {
  const context = openContext(options)
  const { subscribe, close } = openChannels(context.redis)
  return {
    ...createRuns(context),
    ...moving(context),
    ...reading(context),
    ...throughCall(withStoreErrors, {
      subscribe: (runId, onMove) => subscribe(keys.ledger(runId), onMove),
      subscribeClosed: (onClosed) =>
        subscribe(closedChannel, (message) => {
          const [runId = '', ...taskIds] = message.split(' ')
          onClosed(runId, taskIds)
        }),
    } satisfies Partial<RunStore>),
    close,
  }
}
