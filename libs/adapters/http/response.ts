export const textOf = async (
  response: { body: AsyncIterable<Uint8Array> | null },
  maxBytes: number,
): Promise<string | null> => {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > maxBytes) return null
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}

/** Returns the earliest time for a retry (in ms since 1970). The header contains a delay or an HTTP date. */
export const retryAfter = (headers: Headers, now: number): number | undefined => {
  const ms = headers.get('retry-after-ms')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(ms)) return Math.ceil(now + Number(ms))
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(now + Number(value) * 1_000)
  const date = /[a-z]/i.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(date) ? undefined : date
}
