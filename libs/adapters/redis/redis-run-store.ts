import type { Evidence, LedgerEvent } from '@plumbline/contracts'
import type { Begun, Committed, RunStore } from '@plumbline/ports/run-store'
import { arrivals } from './arrivals'
import { committedChannel, keys } from './keys'
import { knownRuns, type Known, type KnownRuns } from './known-runs'
import { callsWithin, storing, type Call } from './redis-errors'
import { runChannel } from './run-channel'
import { listParked, listRuns, unlistParked } from './run-listing'
import { freshVersion, horizon, json, openIds, runOf, textOf } from './run-text'
import { withScripts, type RedisClient, type Scripts } from './scripts'

type Options = {
  redis: RedisClient
  /** How long a run is kept after its deadline; each run keeps what it was created with. */
  retentionMs?: number
  /** What somebody waits for at the door fails as `store.unavailable` after so long; a worker's calls are as patient as the client. */
  answerWithinMs?: number
}
type Context = { redis: RedisClient; scripts: Scripts; retentionMs: number; call: Call; known: KnownRuns }
export type RedisRunStore = RunStore & { close(): Promise<void> }

const draftTtlMs = 10 * 60_000

const begunOf = (known: KnownRuns, named: Known | undefined, reply: unknown): Begun => {
  const [kind, now, ...rest] = reply as [Begun['kind'], number, ...unknown[]]
  switch (kind) {
    case 'gone':
      return { kind, now }
    case 'suspect':
      return { kind, now, starts: rest[0] as number }
    case 'closed':
    case 'open': {
      const [version, text, policy, starts = 0, errors = 0] = rest as [string, string, string | null, number?, number?]
      const run = known.runOf(named, { version, text, policy })
      return kind === 'closed' ? { kind, run, now } : { kind, run, version, starts, errors, now }
    }
    default:
      throw new SyntaxError(`begin answered ${String(kind)}`)
  }
}

const moving = ({
  redis,
  scripts,
  known,
}: Context): Pick<RunStore, 'begin' | 'commit' | 'countError' | 'uncountStart'> => ({
  begin: (runId, taskId, fence, where) =>
    storing(async () => {
      const named = known.get(runId)
      return begunOf(
        known,
        named,
        await scripts.runBegin(keys.state(runId), taskId, fence, where.isolated ? 1 : 0, named?.version ?? ''),
      )
    }),
  commit: ({ run, version, next = freshVersion(), by, events, evidence }) =>
    storing(async () => {
      await listParked(redis, run)
      const reply = await scripts.runCommit(
        keys.state(run.id),
        keys.ledger(run.id),
        keys.evidence(run.id),
        by?.taskId ?? '',
        by?.fence ?? '',
        version,
        next,
        textOf(run).run,
        openIds(run),
        run.status,
        horizon(run),
        run.id,
        committedChannel,
        events.length,
        ...json(events),
        ...evidence.flatMap((passage) => [passage.id, JSON.stringify(passage)]),
      )
      const [kind, openBefore] = reply as [Committed['kind'], string?]
      if (kind === 'moved') known.keep(next, run)
      if (openBefore) await unlistParked(redis, run, openBefore)
      return { kind }
    }),
  countError: (runId, taskId, fence) =>
    storing(async () => (await scripts.runCountError(keys.state(runId), taskId, fence)) as number | null),
  uncountStart: (runId, taskId, fence) =>
    storing(async () => void (await scripts.runUncountStart(keys.state(runId), taskId, fence))),
})

const reading = ({
  redis,
  scripts,
  call,
  known,
}: Context): Pick<RunStore, 'load' | 'loadMany' | 'evidence' | 'ledger' | 'list'> => ({
  load: (runId) =>
    call(async () => {
      const named = known.get(runId)
      const reply = await scripts.runLoad(keys.state(runId), named?.version ?? '')
      const [now, version, text = '', policy] = reply as [number, string?, string?, string?]
      return version === undefined ? null : { run: known.runOf(named, { version, text, policy }), version, now }
    }),
  loadMany: (runIds) =>
    call(() =>
      Promise.all(
        runIds.map(async (id) => {
          const [run, policy] = await redis.hmget(keys.state(id), 'run', 'policy')
          return run ? runOf(run, policy) : null
        }),
      ),
    ),
  evidence: (runId, passageIds) =>
    storing(async () => {
      if (passageIds.length === 0) return []
      const found = await redis.hmget(keys.evidence(runId), ...passageIds)
      return found.flatMap((passage) => (passage ? [JSON.parse(passage) as Evidence] : []))
    }),
  ledger: (runId, after, limit) =>
    call(async () => {
      const entries = await redis.xrange(keys.ledger(runId), after ? `(${after}` : '-', '+', 'COUNT', limit)
      return entries.map(([id, fields]) => ({ id, event: JSON.parse(fields[1] ?? '') as LedgerEvent }))
    }),
  list: (tenant, page) => call(() => listRuns(redis, tenant, page)),
})

const drafting = ({ redis, scripts, call }: Context): Pick<RunStore, 'appendDraft' | 'draft'> => ({
  appendDraft: (runId, { taskId, start, text }) =>
    storing(
      async () =>
        void (await scripts.runAppendDraft(keys.state(runId), keys.draft(runId), taskId, start, text, draftTtlMs)),
    ),
  draft: (runId, after) =>
    call(async () => {
      const entries = await redis.xrange(keys.draft(runId), after ? `(${after}` : '-', '+')
      return entries.map(([id, [, taskId = '', , start = '', , text = '']]) => ({
        id,
        delta: { taskId, start: Number(start), text },
      }))
    }),
})

/** The run store on Redis or a Redis Cluster. The client passed in stays the caller's to close. */
export const openRedisRunStore = ({
  redis,
  retentionMs = 24 * 3_600_000,
  answerWithinMs = 900,
}: Options): RedisRunStore => {
  const call = callsWithin(answerWithinMs)
  const context: Context = { redis, scripts: withScripts(redis), retentionMs, call, known: knownRuns() }
  const channel = runChannel(redis)
  return {
    ...arrivals(context),
    ...moving(context),
    ...reading(context),
    ...drafting(context),
    takeDue: (lane, limit, againInMs) =>
      storing(async () => (await context.scripts.runsTakeDue(keys.open(lane), limit, againInMs)) as string[]),
    now: () =>
      call(async () => {
        const [seconds, micros] = await redis.time()
        return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
      }),
    subscribe: (onRun) => storing(() => channel.subscribe(onRun)),
    close: () => channel.close(),
  }
}
