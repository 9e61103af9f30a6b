import type { RunStatus } from '@plumbline/contracts'
import { withScripts, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { throughCall, withStoreErrors } from '@plumbline/adapters/redis/client/errors'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { openDueQueue } from '@plumbline/adapters/redis/client/due-queue'
import { type Page, type Position, readPage } from '@plumbline/adapters/redis/client/sorted-sets'
import { recordNotices } from '@plumbline/adapters/redis/client/webhook-outbox'
import { type Batch, batchOf, type KeptLine, memberOf, type NewBatch, type TakenLine, takenLineOf } from './batch'
import cancelBatch from './lua/cancel-batch.lua'
import claimLines from './lua/claim-lines.lua'
import createBatch from './lua/create-batch.lua'
import endBatch from './lua/end-batch.lua'
import moveLine from './lua/move-line.lua'
import noteWait from './lua/note-wait.lua'

const mostOpen = 10
const mostListed = 1_000
const listedMs = 90 * 86_400_000
const perWrite = 500
/** The longest expected duration of a run. Lines are stored for this time plus the retention. */
const longestRunMs = 3_600_000

const noticeOf = ({ tenant, id }: Pick<NewBatch, 'tenant' | 'id'>): string => `batch/${tenant}/${id}`

type LineState = 'running' | 'parked' | 'answered' | 'failed' | 'cancelled'
/** `kept` is the new content of the stored line. Without `kept`, the content stays as it is. */
type Move = { to: LineState; at: number; kept?: KeptLine; through?: string }
/** The limits for all batches of a tenant together: of the lines in progress, and of the lines asked per minute. */
type BatchShare = { atOnce: number; perMinute: number | undefined }
type BatchRef = Pick<Batch, 'tenant' | 'id' | 'lines'>

const reading = (redis: RedisClient) => {
  const one = async (tenant: string, id: string): Promise<Batch | null> =>
    batchOf(await redis.hgetall(keys.batch(tenant, id)))
  return {
    one,
    list: async (tenant: string, page: Pick<Page<Batch>, 'cursor' | 'limit' | 'wanted'>) => {
      const rowsOf = (piece: Position[]) => Promise.all(piece.map(({ id }) => one(tenant, id)))
      const { rows, next } = await readPage(redis, keys.batches(tenant), rowsOf, { ...page, pieceSize: 50 })
      return { batches: rows, next }
    },
    open: async (tenant: string): Promise<{ id: string; batch: Batch | null }[]> => {
      const ids = await redis.zrange(keys.batchesOpen(tenant), '0', '-1')
      return Promise.all(ids.map(async (id) => ({ id, batch: await one(tenant, id) })))
    },
    lines: async ({ tenant, lines }: BatchRef, numbers: number[]): Promise<(KeptLine | null)[]> => {
      if (numbers.length === 0) return []
      const kept = await redis.hmget(keys.batchLines(tenant, lines), ...numbers.map(String))
      return kept.map((text) => (text === null ? null : (JSON.parse(text) as KeptLine)))
    },
    running: async (tenant: string): Promise<TakenLine[]> =>
      Object.entries(await redis.hgetall(keys.batchRunning(tenant))).map(([member, mark]) =>
        takenLineOf(member, mark !== ''),
      ),
    parked: async (tenant: string, now: number, limit: number): Promise<{ due: TakenLine[]; all: number }> => {
      const key = keys.batchParked(tenant)
      const due = await redis.zrangebyscore(key, '-inf', now, 'LIMIT', 0, limit)
      return { due: due.map((member) => takenLineOf(member, true)), all: await redis.zcard(key) }
    },
    statuses: (runIds: string[]): Promise<(RunStatus | null)[]> =>
      Promise.all(runIds.map(async (id) => (await redis.hget(keys.state(id), 'status')) as RunStatus | null)),
  }
}

const feeding = (redis: RedisClient, retentionMs: number) => {
  const scripts = withScripts(redis, {
    batchClaim: { lua: claimLines, numberOfKeys: 3 },
    batchMoveLine: { lua: moveLine, numberOfKeys: 5 },
    batchNoteWait: { lua: noteWait, numberOfKeys: 1 },
    batchEnd: { lua: endBatch, numberOfKeys: 3 },
  })
  const notice = recordNotices(redis)
  const keptMs = retentionMs + longestRunMs
  return {
    claim: async ({ tenant, id }: BatchRef, { atOnce, perMinute = 0 }: BatchShare): Promise<number[]> => {
      const own = [keys.batch(tenant, id), keys.batchRunning(tenant), keys.batchPace(tenant)]
      return (await scripts.batchClaim(...own, id, atOnce, perMinute, keptMs)) as number[]
    },
    move: async ({ tenant, id, lines }: BatchRef, line: number, move: Move): Promise<boolean> => {
      const { to, at, kept, through = '' } = move
      const own = [keys.batch(tenant, id), keys.batchRunning(tenant), keys.batchParked(tenant)]
      const also = [keys.batchLines(tenant, lines), keys.asks(tenant, 'unfinished')]
      const text = kept ? JSON.stringify(kept) : ''
      const args = [memberOf({ batch: id, line }), line, to, text, at, keptMs, through]
      return (await scripts.batchMoveLine(...own, ...also, ...args)) === 1
    },
    /** Sets when a parked line is checked again. `XX` skips a line that is no longer parked. */
    lookAgain: async (tenant: string, line: TakenLine, at: number): Promise<void> =>
      void (await redis.zadd(keys.batchParked(tenant), 'XX', at, memberOf(line))),
    /** Stores why the next lines of a batch wait. An empty `why` means that no line waits. */
    noteWait: async ({ tenant, id }: BatchRef, why: string): Promise<void> =>
      void (await scripts.batchNoteWait(keys.batch(tenant, id), why)),
    keep: async ({ tenant, id, lines }: BatchRef): Promise<void> => {
      const own = [keys.batch(tenant, id), keys.batchLines(tenant, lines), keys.batchesOpen(tenant)]
      const all = [...own, keys.batchRunning(tenant), keys.batchParked(tenant)]
      await Promise.all(all.map((key) => redis.pexpire(key, keptMs)))
    },
    end: (batch: BatchRef, now: number): Promise<boolean> =>
      notice(batch.tenant, noticeOf(batch), async () => {
        const { tenant, id, lines } = batch
        const own = [keys.batch(tenant, id), keys.batchesOpen(tenant), keys.batchLines(tenant, lines)]
        return (await scripts.batchEnd(...own, id, now, retentionMs)) === 1
      }),
    forget: async (tenant: string, id: string): Promise<void> => void (await redis.zrem(keys.batchesOpen(tenant), id)),
  }
}

/** All keys of a tenant share one Redis Cluster slot, because a script may use keys of only one slot. */
export const openBatches = (redis: RedisClient, retentionMs = 24 * 3_600_000) => {
  const scripts = withScripts(redis, {
    batchCreate: { lua: createBatch, numberOfKeys: 3 },
    batchCancel: { lua: cancelBatch, numberOfKeys: 1 },
  })
  const dueQueue = openDueQueue(redis, 'batchesDue')
  return {
    retentionMs,
    ...throughCall(withStoreErrors, {
      ...dueQueue,
      ...reading(redis),
      ...feeding(redis, retentionMs),
      /** Stores the lines before the batch. If the process crashes before it stores the batch, the lines expire. */
      create: async (batch: NewBatch, body: string, lines: KeptLine[]) => {
        const { tenant, id, createdAt } = batch
        const key = keys.batchLines(tenant, batch.lines)
        const keptMs = retentionMs + longestRunMs
        for (let at = 0; at < lines.length; at += perWrite) {
          const piece = lines.slice(at, at + perWrite)
          await redis.hset(key, ...piece.flatMap((kept, n) => [`${at + n + 1}`, JSON.stringify(kept)]))
          if (at === 0) await redis.pexpire(key, keptMs)
        }
        await dueQueue.schedule(tenant, Date.now())
        const own = [keys.batch(tenant, id), keys.batchesOpen(tenant), keys.batches(tenant)]
        const args = [id, JSON.stringify(batch), body, batch.total, createdAt, keptMs, mostOpen, mostListed, listedMs]
        const made = (await scripts.batchCreate(...own, ...args)) as 'created' | 'exists' | 'conflict' | 'too-many'
        if (made !== 'created') await redis.del(key)
        await dueQueue.schedule(tenant, Date.now())
        return made
      },
      cancel: async (tenant: string, id: string): Promise<boolean> => {
        const done = (await scripts.batchCancel(keys.batch(tenant, id))) === 1
        await dueQueue.schedule(tenant, Date.now())
        return done
      },
    }),
  }
}
export type BatchStore = ReturnType<typeof openBatches>
