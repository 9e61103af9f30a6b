import type { Flag, Reread } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import type { Asker } from '../api-keys/asker'
import { type RedisClient, withScripts } from '../client/client'
import { answerWithinMs, throughCall, withTimeout } from '../client/errors'
import { keys } from '../client/keys'
import { type Page, type Position, readPage } from '../client/sorted-sets'
import { openDueQueue } from '../client/due-queue'
import putFlag from './lua/put-flag.lua'

/** `since`: when the request to read the documents again was made (ms). `versions`: their versions at that time. */
export type RereadRow = Reread & { asker: Asker; since: number; versions: Record<string, string> }
/**
 * The stored form of a flag, which is a report of a bad answer. The owners are not stored, because they are read when
 * the flag is displayed.
 */
export type FlagRow = Omit<Flag, 'owners' | 'reread'> & {
  access?: Run['access']
  filters?: Run['filters']
  named?: Run['named']
  reread?: RereadRow
}
const keptMs = 90 * 86_400_000

export const openFlags = (redis: RedisClient) => {
  const { flagPut } = withScripts(redis, { flagPut: { lua: putFlag, numberOfKeys: 3 } })
  const put = async (tenant: string, row: FlagRow, at: number): Promise<boolean> =>
    (await flagPut(
      keys.flags(tenant),
      keys.flagsBy(tenant, 'open'),
      keys.flagsBy(tenant, 'fixed'),
      row.id,
      at,
      JSON.stringify(row),
      row.status,
      keptMs,
      keys.parked(tenant, 'rows'),
    )) === 1
  const rowsOf = async (tenant: string, piece: Position[]): Promise<(FlagRow | null)[]> =>
    (await redis.hmget(keys.flags(tenant), ...piece.map(({ id }) => id))).map((text) =>
      text ? (JSON.parse(text) as FlagRow) : null,
    )
  return {
    /** An entry of this queue is `<tenant>/<id of the flag>`. */
    rereads: openDueQueue(redis, 'flagsDue'),
    ...throughCall(withTimeout(answerWithinMs), {
      put,
      get: async (tenant: string, id: string): Promise<FlagRow | null> => {
        const text = await redis.hget(keys.flags(tenant), id)
        return text === null ? null : (JSON.parse(text) as FlagRow)
      },
      list: (tenant: string, status: Flag['status'], page: Page<FlagRow>) =>
        readPage(redis, keys.flagsBy(tenant, status), (piece) => rowsOf(tenant, piece), page),
    }),
  }
}
export type FlagStore = ReturnType<typeof openFlags>
