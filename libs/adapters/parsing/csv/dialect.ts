const delimiters = [',', ';', '\t', '|']
const sampleLines = 200
const sampleCharacters = 200_000

/** How many fields each of the first lines has where the delimiter occurs; a quote holds others back only where it opens a field. */
const widths = (text: string, delimiter: string): number[] => {
  const found: number[] = []
  let [fields, quoted, fresh, closed] = [1, false, true, -2]
  for (let at = 0; at < text.length && found.length < sampleLines; at += 1) {
    const character = text[at]
    if (character === '"' && (quoted || fresh || closed === at - 1)) {
      if (quoted) closed = at
      quoted = !quoted
    } else if (quoted) continue
    else if (character === delimiter) fields += 1
    else if (character === '\n') {
      found.push(fields)
      fields = 1
    }
    fresh = character === delimiter || character === '\n' || (fresh && character === ' ')
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

/** A comma between digits is one of decimals as long as another delimiter stands in the line. */
const withoutDecimals = (text: string): string =>
  text.replace(/^.*[;\t|].*$/gm, (line) => line.replace(/(?<=\d),(?=\d)/g, '.'))

/** What cuts the rows cuts the line that names their columns too. */
const delimiterOf = (sample: string): string => {
  const head = /^.*[,;\t|].*$/m.exec(sample)?.[0] ?? ''
  const scored = delimiters.map((delimiter) => ({
    delimiter,
    score: fit(delimiter === ',' ? withoutDecimals(sample) : sample, delimiter) * (head.includes(delimiter) ? 1 : 0.5),
  }))
  return scored.reduce((a, b) => (b.score > a.score ? b : a)).delimiter
}

/** The first line of some exports names the delimiter: `sep=;`. */
export const dialectOf = (text: string): { delimiter: string; body: string; skipped: number } => {
  const [first, named] = /^sep=(.)\r?\n/i.exec(text) ?? []
  if (first !== undefined && named !== undefined)
    return { delimiter: named, body: text.slice(first.length), skipped: 1 }
  return { delimiter: delimiterOf(text.slice(0, sampleCharacters).replace(/\r\n?/g, '\n')), body: text, skipped: 0 }
}
