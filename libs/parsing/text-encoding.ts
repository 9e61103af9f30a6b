import { isUtf8 } from 'node:buffer'

/** UTF-16 that does not say so has a zero in nearly every second byte. */
const unmarked16 = (bytes: Uint8Array): string | undefined => {
  const head = bytes.subarray(0, 2_000)
  const zeros = (odd: number) =>
    head.reduce((sum, byte, at) => sum + (byte === 0 && at % 2 === odd ? 1 : 0), 0) / Math.max(1, head.length / 2)
  return zeros(1) > 0.4 && zeros(0) < 0.1 ? 'utf-16le' : zeros(0) > 0.4 && zeros(1) < 0.1 ? 'utf-16be' : undefined
}

/** The encoding of a text whose characters are two bytes wide, by its mark or by its zeros. */
export const wideEncoding = (bytes: Uint8Array): string | undefined => {
  const [first, second] = bytes
  return first === 0xff && second === 0xfe
    ? 'utf-16le'
    : first === 0xfe && second === 0xff
      ? 'utf-16be'
      : unmarked16(bytes)
}

const pieceBytes = 1_000_000

/** A text piece by piece, for one that is not to stand in memory as a whole. */
export function* decodedPieces(bytes: Uint8Array, encoding = encodingOf(bytes)): Generator<string> {
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < bytes.length; at += pieceBytes)
    yield decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: at + pieceBytes < bytes.length })
}

/** Bytes that are no UTF-8 are what Windows writes in the West, unless more of the text is UTF-8 than not. */
const encodingOf = (bytes: Uint8Array): string => {
  const wide = wideEncoding(bytes)
  if (wide !== undefined || isUtf8(bytes)) return wide ?? 'utf-8'
  let more = 0
  for (const piece of decodedPieces(bytes, 'utf-8'))
    more += (piece.match(/[^\x00-\x7f\ufffd]/gu)?.length ?? 0) - (piece.match(/\ufffd/g)?.length ?? 0)
  return more > 0 ? 'utf-8' : 'windows-1252'
}

/** Text in whichever of the usual encodings it was saved. */
export const decoded = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes)

const declared =
  /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([\w:.-]{1,40})|^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{1,40})/i

const decoderOf = (label: string): TextDecoder | null => {
  try {
    return new TextDecoder(label, { fatal: true })
  } catch {
    return null
  }
}

/** As its mark, then as UTF-8 where it is valid, then as what it says of itself: pages often say another encoding than they have. */
export const pageText = (bytes: Uint8Array): string => {
  const marked = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const head = marked ? '' : new TextDecoder('latin1').decode(bytes.subarray(0, 4_096))
  const [, meta, xml] = declared.exec(head) ?? []
  for (const decoder of ['utf-8', ...(meta || xml ? [meta ?? xml ?? ''] : [])].map(decoderOf)) {
    try {
      const text = marked ? undefined : decoder?.decode(bytes)
      if (text !== undefined && !text.includes('\0')) return text
    } catch {
      continue
    }
  }
  return decoded(bytes)
}
