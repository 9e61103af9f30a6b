import { isUtf8 } from 'node:buffer'
import { crc32, inflateRawSync } from 'node:zlib'
import { Unfit } from '@plumbline/ports/document-parser'

export type ZipLimits = { entries: number; bytes: number; ratio: number; ratioBeyond: number }
export const zipLimits: ZipLimits = { entries: 10_000, bytes: 200_000_000, ratio: 200, ratioBeyond: 1_000_000 }

/** `sum` is the checksum, or 0 if the zip states none. */
type ZipEntry = {
  name: string
  encrypted: boolean
  method: number
  sum: number
  packed: number
  size: number
  at: number
}
type Zip = { has: (name: string) => boolean; read: (name: string) => Uint8Array | undefined }

const endMark = 0x06054b50
const end64Mark = 0x06064b50
const entryMark = 0x02014b50
const localMark = 0x04034b50
const zip64Extra = 1
const unknown32 = 0xffffffff

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const big = (view: DataView, at: number): number => Number(view.getBigUint64(at, true))

export const isZip = (bytes: Uint8Array): boolean => bytes.length > 3 && viewOf(bytes).getUint32(0, true) === localMark

const truncated = (name: string, cause?: unknown): Unfit =>
  new Unfit('truncated', `${name} is truncated: the end of the file is missing. Copy or download the file again.`, {
    cause,
  })
const damaged = (name: string, cause?: unknown): Unfit =>
  new Unfit(
    'unreadable',
    `${name} is damaged: a part of the file cannot be unpacked. Copy the file again, or save it again in the program that created it.`,
    { cause },
  )
const bomb = (name: string, why: string): Unfit =>
  new Unfit(
    'bomb',
    `${name} ${why}, so it was not opened. Save the file again in the program that created it, or split it.`,
  )

/** Returns the position of the end record, or -1 if it is missing. At most 65,535 bytes of comment can follow it. */
const endOf = (view: DataView): number => {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1) {
    if (view.getUint32(at, true) === endMark) return at
  }
  return -1
}

const directoryOf = (view: DataView, name: string): { count: number; at: number } => {
  const end = endOf(view)
  if (end < 0) throw truncated(name)
  const short = { count: view.getUint16(end + 10, true), at: view.getUint32(end + 16, true) }
  if (short.count !== 0xffff && short.at !== unknown32) return short
  const end64 = end >= 20 ? big(view, end - 20 + 8) : -1
  if (end64 < 0 || view.getUint32(end64, true) !== end64Mark) return short
  return { count: big(view, end64 + 32), at: big(view, end64 + 48) }
}

/** Replaces the values that do not fit into 32 bits. The extra field contains only these values, in the same order. */
const wide = (view: DataView, from: number, to: number, short: number[]): number[] => {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== zip64Extra) continue
    let next = at + 4
    return short.map((value) => {
      if (value !== unknown32) return value
      next += 8
      return big(view, next - 8)
    })
  }
  return short
}

/** The characters 128 to 255 of code page 437. Zips use this code page for file names that are not UTF-8. */
const upper437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'
const text437 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (upper437[byte - 0x80] ?? ''))).join('')

const nameOf = (bytes: Uint8Array): string =>
  (isUtf8(bytes) ? Buffer.from(bytes).toString() : text437(bytes)).replaceAll('\\', '/').replace(/^\//, '')

/** Lists the entries without unpacking them. The sizes are those that the zip states, and they may be false. */
export const zipEntries = (bytes: Uint8Array, name: string, limits = zipLimits): ZipEntry[] => {
  const view = viewOf(bytes)
  const found: ZipEntry[] = []
  try {
    const { count, at: start } = directoryOf(view, name)
    if (count > limits.entries) throw bomb(name, `contains ${count} files, more than the allowed ${limits.entries}`)
    let at = start
    for (let left = count; left > 0; left -= 1) {
      if (view.getUint32(at, true) !== entryMark) throw truncated(name)
      const nameEnd = at + 46 + view.getUint16(at + 28, true)
      const extraEnd = nameEnd + view.getUint16(at + 30, true)
      const short = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
      const [size = 0, packed = 0, local = 0] = wide(view, nameEnd, extraEnd, short)
      const entry = nameOf(bytes.subarray(at + 46, nameEnd))
      found.push({
        name: entry,
        encrypted: (view.getUint16(at + 8, true) & 1) === 1,
        method: view.getUint16(at + 10, true),
        sum: view.getUint32(at + 16, true),
        packed,
        size,
        at: local,
      })
      at = extraEnd + view.getUint16(at + 32, true)
    }
  } catch (cause) {
    throw cause instanceof RangeError ? truncated(name, cause) : cause
  }
  return found
}

const isSwollen = (packed: number, size: number, { ratio, ratioBeyond }: ZipLimits): boolean =>
  size > ratioBeyond && size > packed * ratio

const check = (entries: ZipEntry[], name: string, limits: ZipLimits): void => {
  const total = entries.reduce((sum, { size }) => sum + size, 0)
  if (total > limits.bytes)
    throw bomb(name, `unpacks to ${Math.round(total / 1e6)} MB, more than the allowed ${limits.bytes / 1e6} MB`)
  const swollen = entries.find(({ packed, size }) => isSwollen(packed, size, limits))
  if (swollen)
    throw bomb(
      name,
      `contains "${swollen.name}", which unpacks to ${Math.round(swollen.size / Math.max(1, swollen.packed))} times its size`,
    )
  if (entries.some(({ encrypted }) => encrypted))
    throw new Unfit(
      'encrypted',
      `${name} is protected with a password. Save the document without a password and upload it again.`,
    )
}

const inflated = (packed: Uint8Array, most: number, name: string): Uint8Array => {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw bomb(name, 'unpacks to more than its directory states, or to more than is allowed')
    if (code === 'Z_BUF_ERROR') throw truncated(name, cause)
    throw damaged(name, cause)
  }
}

/** Reading an entry fails if it unpacks to more than its stated size or to more than the rest of the total limit. */
export const openZip = (bytes: Uint8Array, name: string, limits = zipLimits): Zip => {
  const entries = zipEntries(bytes, name, limits)
  check(entries, name, limits)
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]))
  const view = viewOf(bytes)
  let left = limits.bytes

  const read = (wanted: string): Uint8Array | undefined => {
    const entry = byName.get(wanted.toLowerCase())
    if (!entry) return undefined
    if (entry.at + 30 > bytes.length || view.getUint32(entry.at, true) !== localMark) throw truncated(name)
    const from = entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true)
    const packed = bytes.subarray(from, from + entry.packed)
    if (packed.length < entry.packed) throw truncated(name)
    if (entry.method !== 0 && entry.method !== 8)
      throw new Unfit(
        'unsupported',
        `${name} uses an unsupported compression method. Save the file again in the program that created it.`,
      )
    const most = Math.min(left, entry.size)
    const whole = entry.method === 0 ? packed : inflated(packed, most, name)
    left -= whole.length
    if (left < 0) throw bomb(name, 'unpacks to more than is allowed')
    if (entry.sum !== 0 && crc32(whole) !== entry.sum) throw damaged(name)
    return whole
  }
  return { has: (wanted) => byName.has(wanted.toLowerCase()), read }
}
