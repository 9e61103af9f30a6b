import { wrongField } from '../door/problem'

type Placed<T> = { item: T; at: number; id: string }
const isBehind = (a: { at: number; id: string }, b: { at: number; id: string }): boolean =>
  a.at > b.at || (a.at === b.at && a.id > b.id)

const placeOf = (cursor: string): { at: number; id: string } => {
  const [, at, id] = /^(\d{1,16}):(\w+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!at || !id) throw wrongField('cursor', 'send a cursor that this list gave you, or leave it out')
  return { at: Number(at), id }
}

/** One page, the oldest first. The cursor names a place and not an item, so that a list that moved on still goes on behind it. */
export const pageOf = <T>(
  all: Placed<T>[],
  { cursor, limit }: { cursor?: string; limit: number },
): { items: T[]; next: string | null } => {
  const from = cursor === undefined ? undefined : placeOf(cursor)
  const left = all.filter((one) => from === undefined || isBehind(one, from)).sort((a, b) => (isBehind(a, b) ? 1 : -1))
  const shown = left.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(({ item }) => item),
    next: last && left.length > limit ? Buffer.from(`${last.at}:${last.id}`).toString('base64url') : null,
  }
}
