import { isUtf8 } from 'node:buffer'
import { createRequire } from 'node:module'
import type * as Detector from 'jschardet'

const load = createRequire(import.meta.url)

/** Detects UTF-16 without a byte order mark, in which nearly every second byte is zero. */
const unmarked16 = (bytes: Uint8Array): string | undefined => {
  const head = bytes.subarray(0, 2_000)
  const zeros = (odd: number) =>
    head.reduce((sum, byte, at) => sum + (byte === 0 && at % 2 === odd ? 1 : 0), 0) / Math.max(1, head.length / 2)
  return zeros(1) > 0.4 && zeros(0) < 0.1 ? 'utf-16le' : zeros(0) > 0.4 && zeros(1) < 0.1 ? 'utf-16be' : undefined
}

const marks: readonly (readonly [string, readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

export const wideEncoding = (bytes: Uint8Array): string | undefined =>
  marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0] ?? unmarked16(bytes)

type Decoder = { decode(bytes: Uint8Array, options?: { stream?: boolean }): string }

/** Node has no decoder for UTF-32. Each chunk of bytes for this decoder must contain whole characters. */
const decoder32 = (isLittle: boolean): Decoder => ({
  decode: (bytes) => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let text = ''
    for (let at = 0; at + 4 <= bytes.length; at += 4) {
      const point = view.getUint32(at, isLittle)
      if (point !== 0xfeff || at > 0) text += point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
    }
    return text.toWellFormed()
  },
})

const decoderFor = (encoding: string): Decoder =>
  encoding.startsWith('utf-32') ? decoder32(encoding === 'utf-32le') : new TextDecoder(encoding)

export const decodedAs = (bytes: Uint8Array, encoding: string): string => decoderFor(encoding).decode(bytes)

const pieceBytes = 1_000_000

export function* decodedPieces(bytes: Uint8Array, encoding = encodingOf(bytes)): Generator<string> {
  const decoder = decoderFor(encoding)
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: at + pieceBytes < bytes.length })
}

const decoderOf = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return null
  }
}

/** The detector and the decoder have different names for these encodings. */
const labels: Readonly<Record<string, string>> = {
  CP874: 'windows-874',
  CP932: 'shift_jis',
  CP949: 'euc-kr',
  MacRoman: 'macintosh',
  MacCyrillic: 'x-mac-cyrillic',
}
/** The detected encoding is used if the detector has at least this confidence, which short texts never reach. */
const surely = 0.1
/**
 * The detected encoding is also used if words with non-ASCII letters contain at least this share of such letters. This
 * is usual in non-Western alphabets.
 */
const mostlyForeign = 0.6
const detectedBytes = 200_000

const foreignShare = (text: string): number => {
  const words = text.match(/[A-Za-z]*[^\x00-\x7f]+[A-Za-z]*/g)?.join('') ?? ''
  return (words.match(/[^\x00-\x7f]/g)?.length ?? 0) / Math.max(1, words.length)
}

/** Detects the encoding. Returns Windows-1252 if the result is uncertain. */
const detected = (bytes: Uint8Array): string => {
  const { detect } = load('jschardet') as typeof Detector
  const from = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - 1_000)
  // Remove tags, because the detector would believe the encoding that a page declares.
  const sample = Buffer.from(bytes.subarray(from, from + detectedBytes))
    .toString('latin1')
    .replace(/<[^<>]*>/g, ' ')
  const { encoding, confidence } = detect(Buffer.from(sample, 'latin1'))
  const label = labels[encoding ?? ''] ?? encoding ?? ''
  const sure = confidence >= surely || foreignShare(sample) >= mostlyForeign
  return sure && decoderOf(label) ? label : 'windows-1252'
}

/** Returns UTF-8 even for a text with invalid bytes if most of its non-ASCII characters are valid UTF-8. */
const encodingOf = (bytes: Uint8Array): string => {
  const wide = wideEncoding(bytes)
  if (wide !== undefined || isUtf8(bytes)) return wide ?? 'utf-8'
  let more = 0
  for (const piece of decodedPieces(bytes, 'utf-8'))
    more += (piece.match(/[^\x00-\x7f\ufffd]/gu)?.length ?? 0) - (piece.match(/\ufffd/g)?.length ?? 0)
  return more > 0 ? 'utf-8' : detected(bytes)
}

export const decodeText = (bytes: Uint8Array): string => decodedAs(bytes, encodingOf(bytes))

const declared =
  /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w:.-]{1,40})|^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})/i

/**
 * Tries UTF-8 first, because the encoding that a page declares is often wrong. A declared Windows-1252 is ignored,
 * because any bytes are valid in this encoding.
 */
export const pageText = (bytes: Uint8Array): string => {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const head = marked ? '' : new TextDecoder('latin1').decode(bytes.subarray(0, 4_096))
  const [, meta, xml] = declared.exec(head) ?? []
  for (const label of ['utf-8', meta ?? xml ?? '']) {
    const decoder = decoderOf(label)
    try {
      const text = marked || decoder?.encoding === 'windows-1252' ? undefined : decoder?.decode(bytes)
      if (text !== undefined && !text.includes('\0')) return text
    } catch {
      continue
    }
  }
  return decodeText(bytes)
}
