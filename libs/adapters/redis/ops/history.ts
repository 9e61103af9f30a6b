import { withScripts, type RedisClient } from '../client/client'
import { keys } from '../client/keys'
import addCountsScript from './add-counts.lua'
import { openRecentActivity } from './recent-activity'

export type Counts = Record<string, number>
/** If a minute or an hour already has the maximum number of rows, the counts are added to the row `instead`. */
export type CountedRow = { name: string; instead: string; counts: Counts }
export type GivenUp = { runId: string; taskId: string; tenant: string; policy: string; reason: string; at: number }
type Grain = 'minute' | 'hour'
export type Bucket = { at: number; rows: Map<string, Counts> }

const day = 86_400_000
export const grains: Record<Grain, { ms: number; keptMs: number; mostRows: number }> = {
  minute: { ms: 60_000, keptMs: 25 * 3_600_000, mostRows: 200 },
  hour: { ms: 3_600_000, keptMs: 30 * day, mostRows: 600 },
}
const abandoned = { most: 1_000, keptMs: 30 * day, longestReason: 500 }
const bucketsPerRead = 200

const startOf = (at: number, grain: Grain): number => Math.floor(at / grains[grain].ms) * grains[grain].ms

const rowsOf = (held: Record<string, string>): Bucket['rows'] =>
  new Map(Object.entries(held).map(([name, text]) => [name, JSON.parse(text) as Counts]))

export const openOpsHistory = (redis: RedisClient) => {
  const { opsAddCounts } = withScripts(redis, { opsAddCounts: { lua: addCountsScript, numberOfKeys: 3 } })
  return {
    add: async (rows: CountedRow[], givenUp: GivenUp[], at: number): Promise<void> => {
      const { minute, hour } = grains
      await opsAddCounts(
        keys.counted('minute', startOf(at, 'minute')),
        keys.counted('hour', startOf(at, 'hour')),
        keys.abandoned,
        minute.keptMs,
        hour.keptMs,
        minute.mostRows,
        hour.mostRows,
        abandoned.most,
        abandoned.keptMs,
        rows.length,
        ...rows.flatMap(({ name, instead, counts }) => [name, instead, JSON.stringify(counts)]),
        ...givenUp.map((entry) => JSON.stringify({ ...entry, reason: entry.reason.slice(0, abandoned.longestReason) })),
      )
    },
    ...openRecentActivity(redis),
    read: async (grain: Grain, from: number, to: number): Promise<Bucket[]> => {
      const { ms, keptMs } = grains[grain]
      const first = startOf(Math.max(from, to - keptMs), grain)
      const times = Array.from({ length: Math.max(0, Math.ceil((to - first) / ms)) }, (_, i) => first + i * ms)
      const found: Bucket[] = []
      // Reads at most 200 minutes or hours at a time, so that Redis can serve other requests in between.
      for (let i = 0; i < times.length; i += bucketsPerRead) {
        const piece = times.slice(i, i + bucketsPerRead)
        const held = await Promise.all(piece.map((at) => redis.hgetall(keys.counted(grain, at))))
        for (const [n, at] of piece.entries()) found.push({ at, rows: rowsOf(held[n] ?? {}) })
      }
      return found.filter(({ rows }) => rows.size > 0)
    },
    ofRow: async (name: string, from: number, to: number): Promise<{ counts: Counts[]; sinceMs: number }> => {
      const first = startOf(from, 'minute')
      const times = Array.from(
        { length: Math.ceil((to - first) / grains.minute.ms) },
        (_, i) => first + i * grains.minute.ms,
      )
      const held = await Promise.all(times.map((at) => redis.hget(keys.counted('minute', at), name)))
      return { counts: held.flatMap((text) => (text ? [JSON.parse(text) as Counts] : [])), sinceMs: to - first }
    },
    abandoned: async (): Promise<GivenUp[]> =>
      (await redis.lrange(keys.abandoned, 0, -1)).map((text) => JSON.parse(text) as GivenUp),
  }
}
export type OpsHistoryStore = ReturnType<typeof openOpsHistory>
