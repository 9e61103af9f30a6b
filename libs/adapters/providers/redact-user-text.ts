const texts = new Set(['content', 'text', 'input', 'query', 'documents', 'texts'])
/** The minimum length of redacted text, in characters. A shorter match may be a coincidence. */
const least = 12
const longestSaid = 1_000

const stringsIn = (value: unknown, inText = false): string[] => {
  if (typeof value === 'string') return inText ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    stringsIn(inner, texts.has(name) || (inText && Array.isArray(value))),
  )
}

/** Removes the texts of the request from an error message, which will be logged. These texts may be private. */
export const redactUserText = (said: string, request: unknown): string => {
  if (typeof request !== 'string') return said
  const sent = stringsIn(JSON.parse(request)).join('\n')
  const told = said.slice(0, longestSaid)
  let kept = ''
  for (let at = 0; at < told.length;) {
    let end = at + least
    if (end > told.length || !sent.includes(told.slice(at, end))) kept += told.charAt(at++)
    else {
      while (end < told.length && sent.includes(told.slice(at, end + 1))) end += 1
      kept += '…'
      at = end
    }
  }
  return kept
}
