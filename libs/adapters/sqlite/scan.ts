/**
 * The one loop that is worth machine words: the products of one vector with thousands of rows of bytes, sixteen numbers a turn.
 * JavaScript has no SIMD of its own, so these are WebAssembly's instructions, written out.
 */
const u32 = (value: number): number[] => (value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...u32(value >>> 7)])
const sized = (bytes: number[]): number[] => [...u32(bytes.length), ...bytes]
const section = (id: number, bytes: number[]): number[] => [id, ...sized(bytes)]
const text = (value: string): number[] => sized([...new TextEncoder().encode(value)])

const types = { i32: 0x7f, v128: 0x7b }
const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const number = (value: number): number[] => [0x41, ...signed(value)]
const signed = (value: number): number[] => (value < 64 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)])
const add = [0x6a]
const less = [0x49]
const simd = (code: number, ...rest: number[]): number[] => [0xfd, ...u32(code), ...rest]
const load = (offset: number): number[] => simd(0x00, 0, ...u32(offset))
const loadBytes = (offset: number): number[] => simd(0x01, 0, ...u32(offset))
const zero = simd(0x0c, ...Array<number>(16).fill(0))
const lane = (nth: number): number[] => simd(0x1b, nth)
const addLanes = simd(0xae)
const products = simd(0xba)
const loop = (body: number[]): number[] => [0x03, 0x40, ...body, 0x0b]
const again = [0x0d, 0]
const store = [0x36, 0, 0]

const [row, count, width, query, out, at, end, one, two] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const

const moved = (local: number, by: number[]): number[] => [...get(local), ...by, ...add, ...set(local)]
const accumulate = (sum: number, rowOffset: number, queryOffset: number): number[] => [
  ...get(sum),
  ...get(row),
  ...loadBytes(rowOffset),
  ...get(at),
  ...load(queryOffset),
  ...products,
  ...addLanes,
  ...set(sum),
]
const sumOfLanes = (sum: number): number[] =>
  [0, 1, 2, 3].flatMap((nth) => [...get(sum), ...lane(nth), ...(nth > 0 ? add : [])])

const body: number[] = [
  ...loop([
    ...zero,
    ...set(one),
    ...zero,
    ...set(two),
    ...get(query),
    ...set(at),
    ...get(row),
    ...get(width),
    ...add,
    ...set(end),
    ...loop([
      ...accumulate(one, 0, 0),
      ...accumulate(two, 8, 16),
      ...moved(at, number(32)),
      ...moved(row, number(16)),
      ...get(row),
      ...get(end),
      ...less,
      ...again,
    ]),
    ...get(one),
    ...get(two),
    ...addLanes,
    ...set(one),
    ...get(out),
    ...sumOfLanes(one),
    ...store,
    ...moved(out, number(4)),
    ...get(count),
    ...number(1),
    0x6b,
    ...set(count),
    ...get(count),
    ...again,
  ]),
  0x0b,
]

const module = new WebAssembly.Module(
  Uint8Array.from([
    0x00,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, [1, 0x60, ...sized(Array<number>(5).fill(types.i32)), 0]),
    ...section(2, [1, ...text('own'), ...text('memory'), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...text('scan'), 0x00, 0]),
    ...section(10, [1, ...sized([2, 2, types.i32, 2, types.v128, ...body])]),
  ]),
)

/** `rows`, `query` and `out` are addresses: `count` (≥ 1) rows of `width` bytes, a query of `width` 16-bit numbers, `count` 32-bit sums. `width` is a multiple of 16. */
export type Scan = (rows: number, count: number, width: number, query: number, out: number) => void
export const scanOf = (memory: WebAssembly.Memory): Scan =>
  new WebAssembly.Instance(module, { own: { memory } }).exports['scan'] as Scan
