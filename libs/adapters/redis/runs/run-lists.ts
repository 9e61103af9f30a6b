import { type ParkedGroup, parkedRow, type ParkedRow, reviewTask, type Run } from '@plumbline/flow'
import type { ParkedOrder, ParkedPage, ParkedQuery, RunPage, RunQuery } from '@plumbline/ports/run-store/run-store'
import { fromCursor, type Position, readPage, toCursor, walk } from '../client/sorted-sets'
import { keys } from '../client/keys'
import type { RedisClient } from '../client/client'
import type { Context as StoreContext } from './context'
import { readRun, runOf } from './run-text'

type Context = Pick<StoreContext, 'redis' | 'scripts'>
type Parking = { runId: string; taskId: string }
type Page = Pick<ParkedPage, 'rows' | 'next'>

/** A page reads at most this many runs. Its cursor continues after them. */
const lookedAtPerPage = 2_000
/** A page loads at most this many whole runs. */
const readPerPage = 500
/** Runs whose texts a search holds at once. */
const searchPiece = 20
/** With a filter by group, pieces are larger than the page. */
const filteredPiece = 100

/** Every order is read from the highest score down. */
const scores: Record<ParkedOrder, (row: ParkedRow) => number> = {
  deadline: ({ dueAt }) => -dueAt,
  age: ({ openedAt }) => -openedAt,
  risk: ({ risk }) => risk,
}
const orders = ['deadline', 'age', 'risk'] as const

const keysOf = (tenant: string): string[] =>
  (['rows', 'groups', ...orders] as const).map((part) => keys.parked(tenant, part))
const memberOf = ({ runId, taskId }: Parking): string => `${runId} ${taskId}`
const parkingOf = (member: string): Parking => {
  const [runId = '', taskId = ''] = member.split(' ')
  return { runId, taskId }
}

const textOf = ({ group: _, ...row }: ParkedRow): string => JSON.stringify(row)
const rowOf = (text: string): ParkedRow => {
  const [group = '', row = ''] = text.split('\n')
  return { ...(JSON.parse(row) as Omit<ParkedRow, 'group'>), group: JSON.parse(group) as ParkedGroup }
}

/** List the run before the commit. Readers skip entries that are not parked yet; a late entry could be missed. */
export const listParked = async ({ scripts }: Context, run: Run): Promise<void> => {
  const row = parkedRow(run)
  if (!row) return
  const placed = orders.map((order) => scores[order](row))
  await scripts.runsListParked(...keysOf(run.tenant), memberOf(row), textOf(row), JSON.stringify(row.group), ...placed)
}
const takeOut = async ({ scripts }: Context, tenant: string, parking: Parking): Promise<void> =>
  void (await scripts.runsListParked(...keysOf(tenant), memberOf(parking), '').catch(() => null))

/**
 * Called after the commit that closed a review. The commit is stored, so a failure here is ignored: readers remove
 * the leftover entry.
 */
export const unlistParked = async (context: Context, run: Run, openBefore: string): Promise<void> => {
  const taskId = openBefore.split(' ').find((id) => id.startsWith('review.'))
  if (taskId && reviewTask(run)?.id !== taskId) await takeOut(context, run.tenant, { runId: run.id, taskId })
}

/** An entry without a parked run is left from a closed review, or its run is about to be parked. */
const isParked = async (context: Context, tenant: string, member: string): Promise<boolean> => {
  const { runId, taskId } = parkingOf(member)
  if ((await context.redis.hget(keys.state(runId), 'open'))?.includes(` ${taskId} `)) return true
  const run = await readRun(context.redis, runId)
  if (!run || run.open.length === 0 || taskId in run.closed) await takeOut(context, tenant, { runId, taskId })
  return false
}

const readRows = async (
  context: Context,
  tenant: string,
  piece: Position[],
  wanted: Set<string>,
): Promise<(ParkedRow | null)[]> => {
  const members = piece.map(({ id }) => id)
  const texts = await context.redis.hmget(keys.parked(tenant, 'rows'), ...members)
  return Promise.all(
    members.map(async (member, i) => {
      const text = texts[i]
      if (!text || !wanted.has(text.split('\n')[0] ?? '')) return null
      return (await isParked(context, tenant, member)) ? rowOf(text) : null
    }),
  )
}

/** Reads one page by its rows, and all counts by their groups. Runs outside the page are not read. */
export const readParked = async (
  context: Context,
  tenant: string,
  { order, cursor, limit, wanted }: ParkedQuery,
): Promise<ParkedPage> => {
  const counts = Object.entries(await context.redis.hgetall(keys.parked(tenant, 'groups')))
  const all = counts.map(([text, count]) => ({ text, group: JSON.parse(text) as ParkedGroup, count: Number(count) }))
  const groups = all.filter(({ group }) => wanted(group))
  const texts = new Set(groups.map(({ text }) => text))
  const read = ({ order, ...page }: Pick<ParkedQuery, 'order' | 'cursor' | 'limit'>): Promise<Page> => {
    const pieceSize = groups.length < all.length ? filteredPiece : page.limit + 1
    const rowsOf = (piece: Position[]) => readRows(context, tenant, piece, texts)
    return readPage(context.redis, keys.parked(tenant, order), rowsOf, { ...page, pieceSize })
  }
  const [page, oldest] = await Promise.all([
    read({ order, cursor, limit }),
    read({ order: 'age', cursor: null, limit: 1 }),
  ])
  return {
    ...page,
    groups: groups.map(({ group, count }) => ({ group, count })),
    oldestAt: oldest.rows[0]?.openedAt ?? null,
  }
}

/** Reads only a rank and a count, however many runs are parked. */
export const placeOfParked = async ({ redis }: Context, run: Run): Promise<{ at: number; of: number } | null> => {
  const taskId = reviewTask(run)?.id
  if (taskId === undefined) return null
  const key = keys.parked(run.tenant, 'deadline')
  const [rank, of] = await Promise.all([redis.zrevrank(key, memberOf({ runId: run.id, taskId })), redis.zcard(key)])
  return rank === null ? null : { at: rank + 1, of }
}

const pieceSize = 200
/** Runs leave the listing this long after their retention, because a parked run may outlive its retention. */
const listedLongerMs = 7 * 24 * 3_600_000

/** Adds runs to their tenants' lists. Returns false if one of them is listed already. */
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
/** An id that is used again after its run expired moves to the new run's position. */
export const moveInIndex = async (redis: RedisClient, run: Run): Promise<void> =>
  void (await redis.zadd(keys.tenant(run.tenant), 'XX', run.createdAt, run.id))

type ListContext = Pick<StoreContext, 'redis' | 'call' | 'inLoadSlices' | 'inSearchSlices'>

/** Returns the stored texts of runs. Those of missing runs are undefined. */
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

/** Returns which of these runs are listed. Only a query with `wanted` has to read whole runs. */
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

/** Each call to Redis has its own time limit, because a search may wait for others between its slices. */
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
