import { withScripts, type RedisClient } from './client'
import { throughCall, withStoreErrors } from './errors'
import { keys } from './keys'
import settleLook from './settle-look.lua'
import takeDueScript from './take-due.lua'

/** A position in a sorted set that is read from the highest score down. */
export type Position = { score: number; id: string }

export const toCursor = ({ score, id }: Position): string => Buffer.from(`${score}:${id}`).toString('base64url')
export const fromCursor = (cursor: string | null | undefined): Position | null => {
  const [, score, id] = /^(-?\d+):(.+)$/.exec(Buffer.from(cursor ?? '', 'base64url').toString()) ?? []
  return score && id ? { score: Number(score), id } : null
}

/** Members with equal scores are in descending byte order, like in Redis. */
export const isBehind = (position: Position, from: Position | null): boolean =>
  !from ||
  position.score < from.score ||
  (position.score === from.score && Buffer.compare(Buffer.from(position.id), Buffer.from(from.id)) < 0)

/**
 * Yields everything after a position in pieces, highest first. Each piece starts after the last, so that new members
 * shift nothing.
 */
export async function* walk(
  redis: RedisClient,
  key: string,
  start: Position | null,
  size: number,
): AsyncGenerator<Position[]> {
  let from = start
  let skipped = 0
  for (;;) {
    const found = await redis.zrange(
      key,
      from ? from.score : '+inf',
      '-inf',
      'BYSCORE',
      'REV',
      'LIMIT',
      skipped,
      size,
      'WITHSCORES',
    )
    const piece: Position[] = []
    for (let i = 0; i < found.length; i += 2) {
      const position = { id: found[i] ?? '', score: Number(found[i + 1]) }
      if (isBehind(position, from)) piece.push(position)
    }
    if (piece.length > 0) yield piece
    if (found.length < 2 * size) return
    skipped = piece.length > 0 ? 0 : skipped + size
    from = piece.at(-1) ?? from
  }
}

/** A page reads a limited number of entries, in pieces. Its cursor continues after them. */
export type Page<Row> = {
  cursor?: string | null
  limit: number
  wanted?: (row: Row) => boolean
  lookedAt?: number
  pieceSize?: number
}

/** Returns a page of matching rows, highest score first. */
export const readPage = async <Row>(
  redis: RedisClient,
  key: string,
  rowsOf: (piece: Position[]) => Promise<(Row | null)[]>,
  { cursor, limit, wanted = () => true, lookedAt: most = 2_000, pieceSize = 200 }: Page<Row>,
): Promise<{ rows: Row[]; next: string | null }> => {
  const rows: Row[] = []
  let last: Position | undefined
  let lookedAt = 0
  for await (const piece of walk(redis, key, fromCursor(cursor), pieceSize)) {
    const found = await rowsOf(piece)
    for (const [at, position] of piece.entries()) {
      const row = found[at]
      if (row && wanted(row)) {
        if (last && rows.length === limit) return { rows, next: toCursor(last) }
        rows.push(row)
        last = position
      }
      lookedAt += 1
      if (lookedAt === most) return { rows, next: toCursor(position) }
    }
  }
  return { rows, next: null }
}

/** Takes due members and makes them due again later, in one script. */
export const dueTaker = (redis: RedisClient) => {
  const { takeDue } = withScripts(redis, { takeDue: { lua: takeDueScript, numberOfKeys: 1 } })
  return async (
    key: string,
    limit: number,
    againInMs: number,
  ): Promise<{ now: number; ids: string[]; nextLook: number }> => {
    const [now, ids] = (await takeDue(key, limit, againInMs)) as [number, string[]]
    return { now, ids, nextLook: now + againInMs }
  }
}

/** A list of work by due time. Work is added before it begins, and any process takes it when due, until it is done. */
export const openLooks = (
  redis: RedisClient,
  what:
    | 'batchesDue'
    | 'decided'
    | 'decisions'
    | 'deliveriesOpen'
    | 'documentsOpen'
    | 'notices'
    | 'schedulesDue'
    | 'sourcesDue',
) => {
  const takeDue = dueTaker(redis)
  const { lookSettle } = withScripts(redis, { lookSettle: { lua: settleLook, numberOfKeys: 1 } })
  const key = keys[what]
  return throughCall(withStoreErrors, {
    lookAt: async (id: string, at: number): Promise<void> => void (await redis.zadd(key, at, id)),
    /** Takes due members. Each is due again after `againInMs`. */
    takeDue: (limit: number, againInMs: number) => takeDue(key, limit, againInMs),
    /** Removes a finished member, unless it was rescheduled since it was taken. */
    settle: async (id: string, nextLook: number): Promise<void> => void (await lookSettle(key, id, nextLook)),
    forget: async (id: string): Promise<void> => void (await redis.zrem(key, id)),
  })
}
export type Looks = ReturnType<typeof openLooks>
