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

/** Returns false when one of the runs stands in its tenant's list already. */
export const indexRuns = async (redis: RedisClient, runs: Run[], retentionMs: number): Promise<boolean> => {
  const tenants = Map.groupBy(runs, ({ tenant }) => tenant)
  const added = await Promise.all(
    [...tenants].flatMap(([tenant, its]) => {
      const key = keys.tenant(tenant)
      const oldest = Math.min(...its.map(({ createdAt }) => createdAt)) - retentionMs - listedLongerMs
      return [
        redis.zadd(key, 'NX', ...its.flatMap(({ createdAt, id }) => [createdAt, id])),
        redis.zremrangebyscore(key, '-inf', oldest).then(() => 0),
      ]
    }),
  )
  return added.reduce((sum, each) => sum + each, 0) === runs.length
}
/** An id that comes again after its run was gone stands where the new run belongs. */
export const moveInIndex = async (redis: RedisClient, run: Run): Promise<void> =>
  void (await redis.zadd(keys.tenant(run.tenant), 'XX', run.createdAt, run.id))

/** The desk's list of parked runs. One member for each parking, so that leaving one never hides the next. */
type Parking = { runId: string; taskId: string }
const memberOf = ({ runId, taskId }: Parking): string => `${runId} ${taskId}`
const reviewIn = (taskIds: string[]): string | undefined => taskIds.find((id) => id.startsWith('review.'))

/** Before the commit that parks a run: what is listed too early is seen to be no parked run, what were listed too late could be missed. */
export const listParked = async (redis: RedisClient, run: Run): Promise<void> => {
  const taskId = reviewIn(run.open.map(({ id }) => id))
  if (taskId) await redis.zadd(keys.parked(run.tenant), run.createdAt, memberOf({ runId: run.id, taskId }))
}
/** After the commit that closed a review; the commit stands, and a list looks at the run itself, so a failure here is none. */
export const unlistParked = async (redis: RedisClient, run: Run, openBefore: string): Promise<void> => {
  const taskId = reviewIn(openBefore.split(' '))
  if (!taskId || run.open.some(({ id }) => id === taskId)) return
  await redis.zrem(keys.parked(run.tenant), memberOf({ runId: run.id, taskId })).catch(() => 0)
}

const listed = async (redis: RedisClient, ids: string[], wanted: (status: string) => boolean): Promise<boolean[]> =>
  Promise.all(
    ids.map(async (id) => redis.hget(keys.state(id), 'status').then((status) => status !== null && wanted(status))),
  )

export const listRuns = async (
  redis: RedisClient,
  tenant: string,
  { cursor, limit, status }: Page,
): Promise<RunPage> => {
  const key = status === 'parked' ? keys.parked(tenant) : keys.tenant(tenant)
  const ids = new Set<string>()
  let lookedAt = 0
  for await (const piece of walk(redis, key, fromCursor(cursor), pieceSize)) {
    const runIds = piece.map(({ id }) => id.split(' ')[0] ?? '')
    const shown = await listed(redis, runIds, (its) => !status || its === status)
    for (const [i, position] of piece.entries()) {
      lookedAt += 1
      if (shown[i]) ids.add(runIds[i] ?? '')
      if (ids.size === limit || lookedAt === lookedAtPerPage) return { ids: [...ids], next: toCursor(position) }
    }
  }
  return { ids: [...ids], next: null }
}
