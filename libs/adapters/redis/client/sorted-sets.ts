import { withScripts, type RedisClient } from './client'
import lua from './take-due.lua'

/** A place in a sorted set that is read from the highest score down. */
export type Position = { score: number; id: string }

export const toCursor = ({ score, id }: Position): string => Buffer.from(`${score}:${id}`).toString('base64url')
export const fromCursor = (cursor: string | null): Position | null => {
  const [, score, id] = /^(-?\d+):(.+)$/.exec(Buffer.from(cursor ?? '', 'base64url').toString()) ?? []
  return score && id ? { score: Number(score), id } : null
}

/** Members of one score stand in descending order of their bytes, as Redis has them. */
const isBehind = (position: Position, from: Position | null): boolean =>
  !from ||
  position.score < from.score ||
  (position.score === from.score && Buffer.compare(Buffer.from(position.id), Buffer.from(from.id)) < 0)

/** Everything behind a position in pieces, highest first. Each piece starts behind the last, so that new members shift nothing. */
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

/** Takes the members that are due, by moving their next look ahead in one script. */
export const dueTaker = (redis: RedisClient) => {
  const { takeDue } = withScripts(redis, { takeDue: { lua, numberOfKeys: 1 } })
  return async (key: string, limit: number, againInMs: number): Promise<{ now: number; ids: string[] }> => {
    const [now, ids] = (await takeDue(key, limit, againInMs)) as [number, string[]]
    return { now, ids }
  }
}
