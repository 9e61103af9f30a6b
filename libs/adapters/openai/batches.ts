/** What one embedding request may hold; a text beyond the model's own length is cut, since its passage is longer than any we make. */
const limits = { texts: 96, bytes: 400_000, bytesOfText: 20_000 }

const cut = (text: string): string => {
  if (Buffer.byteLength(text) <= limits.bytesOfText) return text
  return Buffer.from(text)
    .subarray(0, limits.bytesOfText)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
}

/** Texts with their places, a request's worth at a time; what holds no text is in none. */
export const batchesOf = (texts: string[]): { at: number; text: string }[][] => {
  const batches: { at: number; text: string }[][] = []
  let bytes = Infinity
  for (const [at, whole] of texts.entries()) {
    if (whole.trim() === '') continue
    const text = cut(whole)
    const size = Buffer.byteLength(text)
    const last = batches.at(-1)
    if (last && last.length < limits.texts && bytes + size <= limits.bytes) {
      last.push({ at, text })
      bytes += size
    } else {
      batches.push([{ at, text }])
      bytes = size
    }
  }
  return batches
}
