import { exactSearch, MetricKind } from 'usearch'

const rowsPerBlock = 16_384
/** If a block has more unwanted rows than this, the search reads a copy of only the wanted rows. */
const mostSpare = 512
const byteMost = 127
/** Adding this number before truncating rounds a value. This is many times faster than `Math.round`. */
const rounding = byteMost + 0.5

/** Writes a vector as 8-bit numbers. The vector is scaled so that its largest absolute value becomes 127. */
const writeBytes = (vector: Float32Array, bytes: Int8Array, start: number): void => {
  let most = 0
  for (let at = 0; at < vector.length; at += 1) {
    const value = vector[at] ?? 0
    if (value > most) most = value
    else if (-value > most) most = -value
  }
  const steps = most === 0 ? 0 : byteMost / most
  for (let at = 0; at < vector.length; at += 1)
    bytes[start + at] = (((vector[at] ?? 0) * steps + rounding) | 0) - byteMost
}

type Near = { key: number; distance: number }

/** A row whose class is 0 is free. */
const emptyBlock = (width: number) => ({
  bytes: new Int8Array(rowsPerBlock * width),
  keys: new Float64Array(rowsPerBlock),
  classes: new Int32Array(rowsPerBlock),
})
type Block = ReturnType<typeof emptyBlock>

const placesOf = ({ classes }: Block, wanted: Uint8Array): Int32Array => {
  const places = new Int32Array(rowsPerBlock)
  let count = 0
  for (let at = 0; at < rowsPerBlock; at += 1) if (wanted[classes[at] ?? 0] === 1) places[count++] = at
  return places.subarray(0, count)
}

let copied = new Int8Array()
/** Copies the rows to the start of a buffer, because the search library always reads from the start of a buffer. */
const copyOf = ({ bytes }: Block, places: Int32Array, width: number): Int8Array => {
  const length = places.length * width
  if (copied.length < length) copied = new Int8Array(length)
  for (let from = 0, to = 1; from < places.length; from = to, to += 1) {
    const first = places[from] ?? 0
    while (places[to] === first + to - from) to += 1
    copied.set(bytes.subarray(first * width, (first + to - from) * width), from * width)
  }
  return copied.subarray(0, length)
}

const nearestIn = (block: Block, query: Int8Array, wanted: Uint8Array, most: number): Near[] => {
  const places = placesOf(block, wanted)
  if (places.length === 0) return []
  const spare = rowsPerBlock - places.length
  const whole = spare <= mostSpare
  const rows = whole ? block.bytes : copyOf(block, places, query.length)
  const count = whole ? Math.min(most + spare, rowsPerBlock) : Math.min(most, places.length)
  const { keys, distances } = exactSearch(rows, query, query.length, count, MetricKind.Cos, 1)
  const near: Near[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const row = Number(keys[nth])
    const place = whole ? row : (places[row] ?? 0)
    if (wanted[block.classes[place] ?? 0] === 1)
      near.push({ key: block.keys[place] ?? 0, distance: distances[nth] ?? 0 })
  }
  return near
}

export type VectorImage = ReturnType<typeof vectorImage>

/** Finds the approximately nearest passages without reading the file. Rows of removed documents are reused. */
export const vectorImage = (dimensions: number) => {
  const width = Math.max(dimensions, 1)
  const blocks: Block[] = []
  const rowsOf = new Map<number, number[]>()
  const free: number[] = []
  const query = new Int8Array(width)
  let [size, highestClass] = [0, 0]
  const blockOf = (row: number): Block => (blocks[Math.floor(row / rowsPerBlock)] ??= emptyBlock(width))
  return {
    /** `kind` is the document's class. */
    add: (document: number, kind: number, vectors: readonly { key: number; vector: Float32Array }[]): void => {
      highestClass = Math.max(highestClass, kind)
      const put = ({ key, vector }: { key: number; vector: Float32Array }): number => {
        const row = free.pop() ?? size++
        const [held, at] = [blockOf(row), row % rowsPerBlock]
        writeBytes(vector, held.bytes, at * width)
        held.keys[at] = key
        held.classes[at] = kind
        return row
      }
      rowsOf.set(document, vectors.map(put))
    },
    remove: (document: number): void => {
      for (const row of rowsOf.get(document) ?? []) {
        blockOf(row).classes[row % rowsPerBlock] = 0
        free.push(row)
      }
      rowsOf.delete(document)
    },
    nearest: (vector: Float32Array, kinds: Iterable<number>, most: number): number[] => {
      writeBytes(vector, query, 0)
      const wanted = new Uint8Array(highestClass + 1)
      for (const kind of kinds) wanted[kind] = 1
      return blocks
        .flatMap((held) => nearestIn(held, query, wanted, most))
        .sort((a, b) => a.distance - b.distance || a.key - b.key)
        .slice(0, most)
        .map(({ key }) => key)
    },
    bytes: (): number => size * (width + 16),
  }
}
