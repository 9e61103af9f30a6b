import { heldAnswerWords, type ParkedGroup, parkedRow, type ParkedRow, reviewTask, type Run } from '@plumbline/flow'
import type { ParkedOrder, ParkedPage, ParkedQuery } from '@plumbline/ports/run-store/run-store'
import { fromCursor, isBehind, type Position, readPage, toCursor } from '../client/sorted-sets'
import { keys } from '../client/keys'
import type { Context as StoreContext } from './context'
import { readRun } from './run-text'

type Context = Pick<StoreContext, 'redis' | 'scripts'>
type Parking = { runId: string; taskId: string }
type Page = Pick<ParkedPage, 'rows' | 'next'>

const filteredPiece = 100

/** Times have negative scores, because lists are read from the highest score and the earliest time must come first. */
const scores: Record<ParkedOrder, (row: ParkedRow) => number> = {
  deadline: ({ dueAt }) => -dueAt,
  age: ({ openedAt }) => -openedAt,
  risk: ({ risk }) => risk,
}
const orders = ['deadline', 'age', 'risk'] as const

const keysOf = (tenant: string): string[] =>
  (['rows', 'groups', ...orders, 'texts', 'vocabulary'] as const).map((part) => keys.parked(tenant, part))
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

/**
 * Adds a run that waits for review to the desk list. Call this before the commit: readers skip a run whose review is
 * not open yet, but they would miss a run that is added late.
 */
export const listParked = async ({ scripts }: Context, run: Run): Promise<void> => {
  const row = parkedRow(run)
  if (!row) return
  const placed = orders.map((order) => scores[order](row))
  const told = [memberOf(row), textOf(row), keys.parkedWord(run.tenant, ''), JSON.stringify(row.group), ...placed]
  await scripts.runsListParked(...keysOf(run.tenant), ...told, heldAnswerWords(run).join(' '))
}
const takeOut = async ({ scripts }: Context, tenant: string, parking: Parking): Promise<void> =>
  void (await scripts
    .runsListParked(...keysOf(tenant), memberOf(parking), '', keys.parkedWord(tenant, ''))
    .catch(() => null))

/**
 * Removes a run whose review has ended from the desk list. Call this after the commit. Failures are ignored, because
 * readers remove old entries.
 */
export const unlistParked = async (context: Context, run: Run, openBefore: string): Promise<void> => {
  const taskId = openBefore.split(' ').find((id) => id.startsWith('review.'))
  if (taskId && reviewTask(run)?.id !== taskId) await takeOut(context, run.tenant, { runId: run.id, taskId })
}

/** True if the review is open. Removes the entry of a closed review, but not the entry of a review that opens soon. */
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

/** Repairs the search index of the desk list. Processes of another release may change the list without the index. */
const repairIndex = async (context: Context, tenant: string): Promise<void> => {
  const { redis } = context
  const [texts, rows] = [keys.parked(tenant, 'texts'), keys.parked(tenant, 'rows')]
  if ((await redis.hlen(texts)) === (await redis.hlen(rows))) return
  const indexed = new Set(await redis.hkeys(texts))
  const listed = new Set(await redis.hkeys(rows))
  const repair = async (member: string): Promise<void> => {
    const run = listed.has(member) ? await readRun(redis, parkingOf(member).runId) : null
    if (run && reviewTask(run)?.id === parkingOf(member).taskId) await listParked(context, run)
    else await takeOut(context, tenant, parkingOf(member))
  }
  const wrong = [...listed.symmetricDifference(indexed)]
  for (let from = 0; from < wrong.length; from += filteredPiece)
    await Promise.all(wrong.slice(from, from + filteredPiece).map(repair))
}

const mostExpansions = 1_000

type Found = { member: string; text: string; group: string }
type ParkedFilter = Required<Pick<ParkedQuery, 'words' | 'wanted'>>

const groupOf = (text: string): string => text.slice(0, text.indexOf('\n'))
const findRows = async (context: Context, tenant: string, { words, wanted }: ParkedFilter): Promise<Found[]> => {
  await repairIndex(context, tenant)
  const { redis, scripts } = context
  const args = [keys.parked(tenant, 'vocabulary'), keys.parkedWord(tenant, ''), mostExpansions, ...words]
  const members = (await scripts.runsFindParked(...args)) as string[]
  const texts = members.length > 0 ? await redis.hmget(keys.parked(tenant, 'rows'), ...members) : []
  const known = new Map<string, boolean>()
  const isWanted = (group: string): boolean => {
    const is = known.get(group) ?? wanted(JSON.parse(group) as ParkedGroup)
    known.set(group, is)
    return is
  }
  return members.flatMap((member, at) => {
    const text = texts[at]
    return text && isWanted(groupOf(text)) ? [{ member, text, group: groupOf(text) }] : []
  })
}

const scoresIn = async ({ redis }: Context, key: string, found: Found[]): Promise<number[]> =>
  found.length === 0 ? [] : (await redis.zmscore(key, ...found.map(({ member }) => member))).map(Number)

const searchParked = async (
  context: Context,
  tenant: string,
  { order, cursor, limit, words, wanted, dueBy }: ParkedQuery & ParkedFilter,
): Promise<ParkedPage> => {
  const found = await findRows(context, tenant, { words, wanted })
  const scoresBy = (by: ParkedOrder) => scoresIn(context, keys.parked(tenant, by), found)
  const [placed, ages, deadlines] = await Promise.all([
    scoresBy(order),
    scoresBy('age'),
    dueBy === undefined ? [] : scoresBy('deadline'),
  ])
  const from = fromCursor(cursor)
  const left = found
    .map(({ member, text }, at) => ({ text, position: { score: placed[at] ?? 0, id: member } }))
    .filter(({ position }) => isBehind(position, from))
    .sort((a, b) => (isBehind(b.position, a.position) ? -1 : 1))
  const shown = left.slice(0, limit)
  const last = shown.at(-1)
  const areParked = await Promise.all(shown.map(({ position }) => isParked(context, tenant, position.id)))
  const groups = Map.groupBy(found, ({ group }) => group)
  return {
    rows: shown.flatMap(({ text }, at) => (areParked[at] ? [rowOf(text)] : [])),
    next: last && left.length > limit ? toCursor(last.position) : null,
    groups: [...groups].map(([group, its]) => ({ group: JSON.parse(group) as ParkedGroup, count: its.length })),
    oldestAt: ages.length > 0 ? -Math.max(...ages) : null,
    ...(dueBy !== undefined && { due: deadlines.filter((score) => -score <= dueBy).length }),
  }
}

const countDue = async (
  { redis }: Context,
  tenant: string,
  { dueBy, groups }: { dueBy: number; groups: ReadonlySet<string> | 'all' },
): Promise<number> => {
  const key = keys.parked(tenant, 'deadline')
  if (groups === 'all') return redis.zcount(key, -dueBy, '+inf')
  const members = await redis.zrange(key, -dueBy, '+inf', 'BYSCORE')
  const texts = members.length > 0 ? await redis.hmget(keys.parked(tenant, 'rows'), ...members) : []
  return texts.filter((text) => text && groups.has(text.split('\n')[0] ?? '')).length
}

/** Returns a page of the desk list. Takes the totals from stored counts, so that it need not read all runs. */
const listPage = async (
  context: Context,
  tenant: string,
  { order, cursor, limit, wanted, dueBy }: ParkedQuery,
): Promise<ParkedPage> => {
  const counts = Object.entries(await context.redis.hgetall(keys.parked(tenant, 'groups')))
  const all = counts.map(([text, count]) => ({ text, group: JSON.parse(text) as ParkedGroup, count: Number(count) }))
  const groups = all.filter(({ group }) => wanted(group))
  if (groups.length === 0)
    return { rows: [], next: null, groups: [], oldestAt: null, ...(dueBy !== undefined && { due: 0 }) }
  const texts = new Set(groups.map(({ text }) => text))
  const read = ({ order, ...page }: Pick<ParkedQuery, 'order' | 'cursor' | 'limit'>): Promise<Page> => {
    const pieceSize = groups.length < all.length ? filteredPiece : page.limit + 1
    const rowsOf = (piece: Position[]) => readRows(context, tenant, piece, texts)
    return readPage(context.redis, keys.parked(tenant, order), rowsOf, { ...page, pieceSize })
  }
  const dueIn = groups.length < all.length ? texts : 'all'
  const [page, oldest, due] = await Promise.all([
    read({ order, cursor, limit }),
    read({ order: 'age', cursor: null, limit: 1 }),
    dueBy === undefined ? undefined : countDue(context, tenant, { dueBy, groups: dueIn }),
  ])
  return {
    ...page,
    groups: groups.map(({ group, count }) => ({ group, count })),
    oldestAt: oldest.rows[0]?.openedAt ?? null,
    ...(due !== undefined && { due }),
  }
}

export const readParked = (context: Context, tenant: string, query: ParkedQuery): Promise<ParkedPage> => {
  const { words = [] } = query
  return words.length > 0 ? searchParked(context, tenant, { ...query, words }) : listPage(context, tenant, query)
}

export const parkedPosition = async ({ redis }: Context, run: Run): Promise<{ at: number; of: number } | null> => {
  const taskId = reviewTask(run)?.id
  if (taskId === undefined) return null
  const key = keys.parked(run.tenant, 'deadline')
  const [rank, of] = await Promise.all([redis.zrevrank(key, memberOf({ runId: run.id, taskId })), redis.zcard(key)])
  return rank === null ? null : { at: rank + 1, of }
}
