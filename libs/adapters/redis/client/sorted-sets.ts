import type { RedisClient } from './client'

export type Position = { score: number; id: string }

export const toCursor = ({ score, id }: Position): string => Buffer.from(`${score}:${id}`).toString('base64url')
export const fromCursor = (cursor: string | null | undefined): Position | null => {
  const [, score, id] = /^(-?\d+):(.+)$/.exec(Buffer.from(cursor ?? '', 'base64url').toString()) ?? []
  return score && id ? { score: Number(score), id } : null
}

/** Returns true if a position comes after `from` in a descending list. Equal scores are ordered by descending id. */
export const isBehind = (position: Position, from: Position | null): boolean =>
  !from ||
  position.score < from.score ||
  (position.score === from.score && Buffer.compare(Buffer.from(position.id), Buffer.from(from.id)) < 0)

/**
 * Reads a sorted set in pieces. Each piece starts after the last member of the piece before, so that new members cause
 * no gaps.
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

/** `lookedAt`: the maximum number of entries to read for a page. `pieceSize`: the entries per Redis call. */
export type Page<Row> = {
  cursor?: string | null
  limit: number
  wanted?: (row: Row) => boolean
  lookedAt?: number
  pieceSize?: number
}

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
