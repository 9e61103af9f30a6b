import type { RedisClient } from '../client/client'
import { fromCursor, type Position, toCursor, walk } from '../client/sorted-sets'

export type Page<Row> = { cursor: string | null; limit: number; wanted: (row: Row) => boolean }

/** A page looks at so many entries at most; what it did not find is behind its cursor. */
const lookedAtPerPage = 2_000
const pieceSize = 200

/** A page of those rows that are wanted, the highest score first. */
export const readPage = async <Row>(
  redis: RedisClient,
  key: string,
  rowsOf: (piece: Position[]) => Promise<(Row | null)[]>,
  { cursor, limit, wanted }: Page<Row>,
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
      if (lookedAt === lookedAtPerPage) return { rows, next: toCursor(position) }
    }
  }
  return { rows, next: null }
}
