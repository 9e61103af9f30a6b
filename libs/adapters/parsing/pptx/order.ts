export type Box = { x: number; y: number; width: number; height: number }
type Placed = { box: Box }

const start = { row: ({ box }: Placed) => box.y, column: ({ box }: Placed) => box.x }
const size = { row: ({ box }: Placed) => box.height, column: ({ box }: Placed) => box.width }
/** Frames are drawn larger than their text: a little of one over the next does not join them. */
const overlap = 0.15

const cut = <T extends Placed>(all: readonly T[], axis: 'row' | 'column'): T[][] => {
  const found: T[][] = []
  let end = -Infinity
  for (const one of [...all].sort((a, b) => start[axis](a) - start[axis](b))) {
    const room = size[axis](one) * overlap
    if (start[axis](one) + room >= end || found.length === 0) found.push([])
    found.at(-1)?.push(one)
    end = Math.max(end, start[axis](one) + size[axis](one))
  }
  return found
}

/** Bands one under another that share their columns are read column by column: a heading stays with what is under it. */
const withSharedColumns = <T extends Placed>(bands: T[][]): T[][] =>
  bands.reduce<T[][]>((done, band) => {
    const before = done.at(-1)
    const columns = cut(band, 'column').length
    const shares =
      before &&
      columns > 1 &&
      cut(before, 'column').length === columns &&
      cut([...before, ...band], 'column').length === columns
    return shares ? [...done.slice(0, -1), [...before, ...band]] : [...done, band]
  }, [])

/** What stands on a slide, in the order it is read: down, and across where columns stand side by side. */
export const inReadingOrder = <T extends Placed>(all: readonly T[]): T[] => {
  if (all.length < 2) return [...all]
  const bands = withSharedColumns(cut(all, 'row'))
  if (bands.length > 1) return bands.flatMap(inReadingOrder)
  const columns = cut(all, 'column')
  if (columns.length > 1) return columns.flatMap(inReadingOrder)
  return [...all].sort((a, b) => a.box.y - b.box.y || a.box.x - b.box.x)
}
