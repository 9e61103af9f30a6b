import { scanOf } from './scan'

const page = 65_536
const block = 4_096
const byteMost = 127
/** Cuts to the nearest whole number, many times faster than Math.round. */
const rounding = byteMost + 0.5
/** The finest steps for which no sum of products leaves 32 bits. */
const queryMost = (dimensions: number): number => Math.min(4_095, Math.floor(2 ** 31 / (byteMost * dimensions)) - 1)

const extent = (vector: Float32Array): { most: number; length: number } => {
  let [most, sum] = [0, 0]
  for (let at = 0; at < vector.length; at += 1) {
    const value = vector[at] ?? 0
    sum += value * value
    if (value > most) most = value
    else if (-value > most) most = -value
  }
  return { most, length: Math.sqrt(sum) }
}

const grown = <Numbers extends Float32Array | Float64Array | Int32Array>(held: Numbers, larger: Numbers): Numbers => {
  larger.set(held)
  return larger
}

/** The `most` best of what is shown to it. */
const bestOf = (most: number) => {
  let kept: { key: number; score: number }[] = []
  let least = -Infinity
  const cut = (): void => {
    kept = kept.sort((a, b) => b.score - a.score || a.key - b.key).slice(0, most)
    if (kept.length === most) least = kept.at(-1)?.score ?? least
  }
  return {
    show: (score: number, key: number): void => {
      if (score < least) return
      kept.push({ key, score })
      if (kept.length >= most * 3) cut()
    },
    all: (): number[] => (cut(), kept.map(({ key }) => key)),
  }
}

/** Rows of bytes in WebAssembly's memory, behind the room for a query and for a block's sums. */
const rowsOfBytes = (dimensions: number) => {
  const width = Math.ceil(Math.max(dimensions, 1) / 16) * 16
  const sumsAt = width * 2
  const rowsAt = sumsAt + block * 4
  const memory = new WebAssembly.Memory({ initial: Math.ceil(rowsAt / page) })
  const scan = scanOf(memory)
  let bytes = new Int8Array(memory.buffer)
  return {
    size: (): number => memory.buffer.byteLength,
    reserve: (rows: number): void => {
      const missing = Math.ceil((rowsAt + rows * width - memory.buffer.byteLength) / page)
      if (missing <= 0) return
      memory.grow(Math.max(missing, Math.ceil(memory.buffer.byteLength / page / 8)))
      bytes = new Int8Array(memory.buffer)
    },
    /** Gives what a byte's step is worth in the vector of length 1. */
    write: (row: number, vector: Float32Array): number => {
      const { most, length } = extent(vector)
      const steps = most === 0 ? 0 : byteMost / most
      const start = rowsAt + row * width
      for (let at = 0; at < dimensions; at += 1)
        bytes[start + at] = (((vector[at] ?? 0) * steps + rounding) | 0) - byteMost
      return steps === 0 ? 0 : 1 / (steps * length)
    },
    ask: (vector: Float32Array): void => {
      const { most } = extent(vector)
      const steps = most === 0 ? 0 : queryMost(width) / most
      const levels = new Int16Array(memory.buffer, 0, width)
      for (let at = 0; at < dimensions; at += 1) levels[at] = Math.round((vector[at] ?? 0) * steps)
    },
    sums: (from: number, count: number): Int32Array => {
      scan(rowsAt + from * width, count, width, 0, sumsAt)
      return new Int32Array(memory.buffer, sumsAt, count)
    },
  }
}

/** What is known of each row beside its bytes. A row without an owner is free. */
const rowTable = () => {
  const held = { scales: new Float32Array(), keys: new Float64Array(), owners: new Int32Array(), size: 0 }
  const free: number[] = []
  return {
    held,
    take: (): number => {
      const known = free.pop()
      if (known !== undefined) return known
      held.size += 1
      if (held.size > held.keys.length) {
        const room = Math.max(1_024, Math.ceil(held.size * 1.5))
        held.scales = grown(held.scales, new Float32Array(room))
        held.keys = grown(held.keys, new Float64Array(room))
        held.owners = grown(held.owners, new Int32Array(room))
      }
      return held.size - 1
    },
    release: (row: number): void => {
      held.owners[row] = -1
      free.push(row)
    },
  }
}

export type VectorImage = ReturnType<typeof vectorImage>

/** Vectors of one length as bytes in this thread's memory, to find the likely nearest without reading the file. Rows of removed documents are used again. */
export const vectorImage = (dimensions: number) => {
  const bytes = rowsOfBytes(dimensions)
  const { held, take, release } = rowTable()
  const rowsOf = new Map<number, number[]>()
  const ownerOf = new Map<number, number>()
  return {
    /** `kind`: what a search takes or leaves together. */
    add: (document: number, kind: number, vectors: readonly { key: number; vector: Float32Array }[]): void => {
      const owner = ownerOf.get(kind) ?? ownerOf.size
      ownerOf.set(kind, owner)
      const put = ({ key, vector }: { key: number; vector: Float32Array }): number => {
        const row = take()
        bytes.reserve(held.size)
        held.scales[row] = bytes.write(row, vector)
        held.keys[row] = key
        held.owners[row] = owner
        return row
      }
      rowsOf.set(document, vectors.map(put))
    },
    remove: (document: number): void => {
      rowsOf.get(document)?.forEach(release)
      rowsOf.delete(document)
    },
    /** The likely nearest among documents of these kinds, best first. */
    nearest: (vector: Float32Array, kinds: Iterable<number>, most: number): number[] => {
      bytes.ask(vector)
      const { owners, scales, keys, size } = held
      const wanted = new Uint8Array(ownerOf.size)
      for (const kind of kinds) wanted[ownerOf.get(kind) ?? -1] = 1
      const best = bestOf(most)
      for (let from = 0; from < size; from += block) {
        const sums = bytes.sums(from, Math.min(block, size - from))
        for (let at = 0; at < sums.length; at += 1) {
          const row = from + at
          if (wanted[owners[row] ?? -1] === 1) best.show((sums[at] ?? 0) * (scales[row] ?? 0), keys[row] ?? 0)
        }
      }
      return best.all()
    },
    bytes: (): number => bytes.size() + held.keys.length * 16,
  }
}
