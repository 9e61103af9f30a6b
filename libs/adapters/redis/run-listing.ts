import type { RunStatus } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { RunPage } from '@plumbline/ports/run-store'
import { keys } from './keys'
import type { RedisClient } from './scripts'

type Page = { cursor: string | null; limit: number; status?: RunStatus }
type Position = { score: number; id: string }

const chunk = 200
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

const toCursor = ({ score, id }: Position): string => Buffer.from(`${score}:${id}`).toString('base64url')
const fromCursor = (cursor: string | null): Position | null => {
  const [, score, id] = /^(\d+):(.+)$/.exec(Buffer.from(cursor ?? '', 'base64url').toString()) ?? []
  return score && id ? { score: Number(score), id } : null
}

/** The next runs behind a position, newest first; those of one millisecond by id, descending, as Redis has them. */
const behind = async (redis: RedisClient, key: string, from: Position | null, offset: number): Promise<Position[]> => {
  const found = await redis.zrange(key, from ? from.score : '+inf', '-inf', 'BYSCORE', 'REV', 'LIMIT', offset, chunk, 'WITHSCORES')
  const positions: Position[] = []
  for (let i = 0; i < found.length; i += 2) positions.push({ id: found[i] ?? '', score: Number(found[i + 1]) })
  return positions
}
const isBehind = (position: Position, from: Position | null): boolean =>
  !from || position.score < from.score || (position.score === from.score && position.id < from.id)

export const listRuns = async (redis: RedisClient, tenant: string, { cursor, limit, status }: Page): Promise<RunPage> => {
  const from = fromCursor(cursor)
  const ids: string[] = []
  for (let offset = 0; offset < lookedAtPerPage; offset += chunk) {
    const found = await behind(redis, keys.tenant(tenant), from, offset)
    const statuses = await Promise.all(found.map(({ id }) => redis.hget(keys.state(id), 'status')))
    for (const [i, position] of found.entries()) {
      const its = statuses[i]
      if (!its || (status && its !== status) || !isBehind(position, from)) continue
      ids.push(position.id)
      if (ids.length === limit) return { ids, next: toCursor(position) }
    }
    if (found.length < chunk) return { ids, next: null }
    if (offset + chunk >= lookedAtPerPage) {
      const last = found.at(-1)
      return { ids, next: last ? toCursor(last) : null }
    }
  }
  return { ids, next: null }
}
