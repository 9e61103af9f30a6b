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

/** Text in whichever of the usual encodings it was saved; bytes that are no UTF-8 are what Windows writes in the West, unless more of the text is UTF-8 than not. */
export const decoded = (bytes: Uint8Array): string => {
  const wide = wideEncoding(bytes)
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const text = new TextDecoder('utf-8').decode(bytes)
    const count = (of: RegExp): number => text.match(of)?.length ?? 0
    return count(/[^\x00-\x7f\ufffd]/gu) > count(/\ufffd/g) ? text : new TextDecoder('windows-1252').decode(bytes)
  }
}
