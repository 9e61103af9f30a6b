/** The text of a body, or null as soon as it is larger than it may be. */
export const textOf = async (response: Response, maxBytes: number): Promise<string | null> => {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength
    if (bytes > maxBytes) return null
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}
