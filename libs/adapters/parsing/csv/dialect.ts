const delimiters = [',', ';', '\t', '|']
const sampleLines = 200
const sampleCharacters = 200_000

/** How many fields each of the first lines has, or nothing where the delimiter does not occur. */
const widths = (text: string, delimiter: string): number[] => {
  const found: number[] = []
  let fields = 1
  let quoted = false
  for (let at = 0; at < text.length && found.length < sampleLines; at += 1) {
    const character = text[at]
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if (character === delimiter) fields += 1
    else if (character === '\n') {
      found.push(fields)
      fields = 1
    }
  }
  if (fields > 1) found.push(fields)
  return found.filter((width) => width > 1)
}

/** Lines of the most frequent width count fully, others are held against the delimiter. */
const fit = (text: string, delimiter: string): number => {
  const all = widths(text, delimiter)
  const counts = new Map<number, number>()
  for (const width of all) counts.set(width, (counts.get(width) ?? 0) + 1)
  const alike = Math.max(0, ...counts.values())
  const width = [...counts].find(([, count]) => count === alike)?.[0] ?? 1
  return alike === 0 ? 0 : (2 * alike - all.length) * Math.log2(width + 1)
}

/** The first line of some exports names the delimiter: `sep=;`. */
export const dialectOf = (text: string): { delimiter: string; body: string; skipped: number } => {
  const [first, named] = /^sep=(.)\r?\n/i.exec(text) ?? []
  if (first !== undefined && named !== undefined) return { delimiter: named, body: text.slice(first.length), skipped: 1 }
  const sample = text.slice(0, sampleCharacters).replace(/\r\n?/g, '\n')
  const best = delimiters.map((delimiter) => ({ delimiter, score: fit(sample, delimiter) })).reduce((a, b) => (b.score > a.score ? b : a))
  return { delimiter: best.delimiter, body: text, skipped: 0 }
}
