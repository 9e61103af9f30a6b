import type { RunStatus } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { RunPage } from '@plumbline/ports/run-store'
import { fromCursor, toCursor, walk } from './cursor'
import { keys } from './keys'
import type { RedisClient } from './scripts'

type Page = { cursor: string | null; limit: number; status?: RunStatus }

const pieceSize = 200
/** A page looks at so many runs at most; what it did not find is behind its cursor. */
const lookedAtPerPage = 2_000
/** Runs older than their retention by this much are off the listing; a parked run may outlive its own retention. */
const listedLongerMs = 7 * 24 * 3_600_000

export const indexRun = async (redis: RedisClient, run: Run, retentionMs: number): Promise<void> => {
  const key = keys.tenant(run.tenant)
  await Promise.all([
    redis.zadd(key, 'NX', run.createdAt, run.id),
    redis.zremrangebyscore(key, '-inf', run.createdAt - retentionMs - listedLongerMs),
  ])
}

export const listRuns = async (redis: RedisClient, tenant: string, { cursor, limit, status }: Page): Promise<RunPage> => {
  const ids: string[] = []
  let lookedAt = 0
  for await (const piece of walk(redis, keys.tenant(tenant), fromCursor(cursor), pieceSize)) {
    const statuses = await Promise.all(piece.map(({ id }) => redis.hget(keys.state(id), 'status')))
    for (const [i, position] of piece.entries()) {
      lookedAt += 1
      if (statuses[i] && (!status || statuses[i] === status)) ids.push(position.id)
      if (ids.length === limit || lookedAt === lookedAtPerPage) return { ids, next: toCursor(position) }
    }
  }
  return { ids, next: null }
}
