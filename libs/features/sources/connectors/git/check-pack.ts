import { setImmediate as pause } from 'node:timers/promises'
import { inflateSync } from 'node:zlib'
import { SourceError } from '@plumbline/ports/document-source'

export type PackLimits = { objects: number; bytes: number; depth: number }

const [offsetDelta, referenceDelta] = [6, 7]
const kinds = new Set([1, 2, 3, 4, offsetDelta, referenceDelta])
const checksumBytes = 20

const tooLarge = (what: string): SourceError =>
  new SourceError(
    'too-large',
    'never',
    `The repository ${what}. Choose a smaller repository, or upload the files of this one.`,
  )

const damaged = (cause?: unknown): SourceError =>
  new SourceError('unreadable', 'never', 'The server of the repository sent damaged data.', { cause })

class Cursor {
  constructor(
    private readonly bytes: Uint8Array,
    public at = 0,
  ) {}

  next(): number {
    const byte = this.bytes[this.at]
    if (byte === undefined) throw damaged()
    this.at += 1
    return byte
  }

  /** Reads a number with seven bits per byte, lowest bits first. */
  number(first = 0, shift = 0): number {
    let [value, factor] = [first, 2 ** shift]
    for (let byte = 0x80; byte & 0x80; factor *= 128) {
      byte = this.next()
      value += (byte & 0x7f) * factor
      if (value > Number.MAX_SAFE_INTEGER / 256) throw damaged()
    }
    return value
  }

  /** Reads the distance from a delta to its base, encoded as an `OBJ_OFS_DELTA` offset of git's pack format. */
  distance(): number {
    let byte = this.next()
    let value = byte & 0x7f
    while (byte & 0x80) {
      byte = this.next()
      value = (value + 1) * 128 + (byte & 0x7f)
      if (value > Number.MAX_SAFE_INTEGER / 256) throw damaged()
    }
    return value
  }
}

type Packed = { size: number; depth: number; end: number }

const unpack = (pack: Buffer, at: number, size: number, most: number): { content: Buffer; end: number } => {
  if (size > most) throw tooLarge(`is larger than ${Math.round(most / 1e6)} MB when unpacked`)
  try {
    const { buffer, engine } = inflateSync(pack.subarray(at), {
      info: true,
      maxOutputLength: Math.max(1, size),
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    if (buffer.byteLength !== size) throw damaged()
    return { content: buffer, end: at + engine.bytesWritten }
  } catch (cause) {
    throw damaged(cause)
  }
}

/** `depths`: the number of deltas that each earlier object needs. The base of a delta is always an earlier object. */
const objectAt = (pack: Buffer, start: number, depths: Map<number, number>, most: number): Packed => {
  const cursor = new Cursor(pack, start)
  const first = cursor.next()
  const kind = (first >> 4) & 7
  if (!kinds.has(kind)) throw damaged()
  const size = first & 0x80 ? cursor.number(first & 15, 4) : first & 15
  let depth = 0
  if (kind === offsetDelta) {
    const base = depths.get(start - cursor.distance())
    if (base === undefined) throw damaged()
    depth = base + 1
  }
  if (kind === referenceDelta) cursor.at += 20
  const { content, end } = unpack(pack, cursor.at, size, most)
  if (kind !== offsetDelta && kind !== referenceDelta) return { size, depth, end }
  const delta = new Cursor(content)
  delta.number()
  return { size: size + delta.number(), depth, end }
}

/** Rejects a pack that exceeds the limits. The git library does not limit object sizes or chains of deltas. */
export const checkPack = async (pack: Buffer, limits: PackLimits, signal: AbortSignal): Promise<void> => {
  if (pack.byteLength < 12 + checksumBytes || pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2)
    throw damaged()
  const count = pack.readUInt32BE(8)
  if (count > limits.objects) throw tooLarge(`has more than ${limits.objects.toLocaleString('en')} objects`)
  const depths = new Map<number, number>()
  let [at, bytes] = [12, 0]
  for (let n = 0; n < count; n += 1) {
    const { size, depth, end } = objectAt(pack, at, depths, limits.bytes - bytes)
    bytes += size
    if (bytes > limits.bytes) throw tooLarge(`is larger than ${Math.round(limits.bytes / 1e6)} MB when unpacked`)
    if (depth > limits.depth) throw damaged()
    depths.set(at, depth)
    at = end
    if (n % 200 === 0) await pause(undefined, { signal })
  }
  if (at !== pack.byteLength - checksumBytes) throw damaged()
}
