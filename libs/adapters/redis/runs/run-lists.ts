import type { Run } from '@plumbline/flow'
import type { RunPage, RunQuery } from '@plumbline/ports/run-store/run-store'
import { fromCursor, toCursor, walk } from '../client/sorted-sets'
import { keys } from '../client/keys'
import type { RedisClient } from '../client/client'
import type { Context as StoreContext } from './context'
import { runOf } from './run-text'

/** The maximum number of runs to read for one page. The next page continues after these runs. */
const lookedAtPerPage = 2_000
const readPerPage = 500
const searchPiece = 20

const pieceSize = 200
/** Runs stay listed for this time after their retention, because a run that waits for review may be stored longer. */
const listedLongerMs = 7 * 24 * 3_600_000

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
/** Updates the time of the run in the list, because the list may still contain an expired run with the same id. */
export const moveInIndex = async (redis: RedisClient, run: Run): Promise<void> =>
  void (await redis.zadd(keys.tenant(run.tenant), 'XX', run.createdAt, run.id))

type ListContext = Pick<StoreContext, 'redis' | 'call' | 'inLoadSlices' | 'inSearchSlices'>

const textsOf = ({ redis, call }: ListContext, ids: string[]): Promise<RunTexts[]> =>
  call(() =>
    Promise.all(
      ids.map(async (id) => {
        const [run, policy] = await redis.hmget(keys.state(id), 'run', 'policy')
        return run ? { run, policy } : undefined
      }),
    ),
  )
type RunTexts = { run: string; policy: string | null | undefined } | undefined

export const loadMany = async (context: ListContext, ids: string[]): Promise<(Run | null)[]> =>
  context.inLoadSlices(await textsOf(context, ids), (text) => (text ? runOf(text.run, text.policy) : null))

/**
 * Returns for each run whether the query matches it. Loads whole runs only for a query with `wanted`, because other
 * queries need only the status.
 */
const areListed = async (context: ListContext, ids: string[], { status, wanted }: RunQuery): Promise<boolean[]> => {
  const { redis, call, inSearchSlices } = context
  const statuses = await call(() => Promise.all(ids.map((id) => redis.hget(keys.state(id), 'status'))))
  const listed = statuses.map((own) => own !== null && (!status || own === status))
  if (!wanted) return listed
  const candidates = ids.filter((_, at) => listed[at])
  const found = await inSearchSlices(await textsOf(context, candidates), (text) =>
    text ? wanted(runOf(text.run, text.policy)) : false,
  )
  const hits = new Set(candidates.filter((_, at) => found[at]))
  return ids.map((id) => hits.has(id))
}

/** The time limit is for each Redis call and not for the whole page, because a search pauses while it checks runs. */
export const listRuns = async (context: ListContext, tenant: string, query: RunQuery): Promise<RunPage> => {
  const { cursor, limit, from = 0, to, wanted } = query
  const ids: string[] = []
  let lookedAt = 0
  const [size, most] = wanted ? [searchPiece, readPerPage] : [pieceSize, lookedAtPerPage]
  const start = fromCursor(cursor) ?? (to === undefined ? null : { score: to, id: '' })
  const pieces = walk(context.redis, keys.tenant(tenant), start, size)
  for (;;) {
    const read = await context.call(() => pieces.next())
    if (read.done) return { ids, next: null }
    const piece = read.value
    const listed = await areListed(
      context,
      piece.map(({ id }) => id),
      query,
    )
    for (const [i, position] of piece.entries()) {
      if (position.score < from) return { ids, next: null }
      lookedAt += 1
      if (listed[i]) ids.push(position.id)
      if (ids.length === limit || lookedAt === most) return { ids, next: toCursor(position) }
    }
  }
}
