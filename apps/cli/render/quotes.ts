import { cleanName, shownRows, type Answer, type Citation, type Quote } from '@plumbline/contracts'
import { drawnMarkdown } from './markdown'
import { type Screen, place, wrap } from './text'

/** `[1] Water › Replenishment (p. 3)`: the document and where in it, then the file or address to open. */
const placeLines = (citation: Citation & Pick<Quote, 'rows'>, { paint, width }: Screen): string[] => {
  const { n, page, file, url, date } = citation
  const where = `${place(citation)}${page === undefined ? '' : ` (p. ${page})`}`
  const [first = '', ...rest] = wrap(where, width - 4)
  const besides = [
    ...[file, url, date].filter((part) => part !== undefined).map(cleanName),
    ...[shownRows(citation)].filter((part) => part !== ''),
  ]
  return [
    `${paint.accent(`[${n}]`)} ${paint.bold(first)}`,
    ...rest.map((line) => `    ${paint.bold(line)}`),
    ...(besides.length > 0 ? wrap(paint.dim(besides.join(', ')), width - 4, '    ') : []),
  ]
}

const delimiter = /^\|[\s|:-]*-[\s|:-]*\|$/

/**
 * Returns everything above the rows of a quoted table, including its header. Null for a quote that does not end in
 * rows.
 */
const aboveRows = (text: string): string | null => {
  const lines = text.split('\n')
  const at = lines.findLastIndex((line) => delimiter.test(line))
  const rows = lines.slice(at + 1)
  return at < 1 || rows.some((line) => !line.includes('|')) ? null : lines.slice(0, at + 1).join('\n')
}

const rowsBelow = (text: string, above: string): string[] => text.slice(above.length).split('\n').slice(1)

/** Counts the rows of two quotes of one table, without those in both. Nothing if they are the whole table. */
const rowsOfBoth = (before: Quote, quote: Quote, above: string): Pick<Quote, 'rows'> => {
  if (!before.rows || !quote.rows) return {}
  const shown = new Set([before, quote].flatMap(({ text }) => rowsBelow(text, above))).size
  return shown < before.rows.of || before.rows.more ? { rows: { ...before.rows, shown } } : {}
}

/** Rows of one table that were quoted one by one are one table, under one header. */
export const joined = (quotes: Quote[]): Quote[] =>
  quotes.reduce<Quote[]>((all, quote) => {
    const before = all.at(-1)
    const above = aboveRows(quote.text)
    const same = before?.passageId === quote.passageId && aboveRows(before.text) === above
    if (!before || !same || above === null) return [...all, quote]
    const moved = before.text.length - above.length
    const marks = quote.marks
      .filter(([from]) => from > above.length)
      .map(([from, to]): [number, number] => [from + moved, to + moved])
    const text = `${before.text}${quote.text.slice(above.length)}`
    const { rows: _, ...place } = before
    const both = { text, marks: [...before.marks, ...marks], ...rowsOfBoth(before, quote, above) }
    return [...all.slice(0, -1), { ...place, ...both }]
  }, [])

const quoteLines = (quote: Quote, screen: Screen): string[] => drawnMarkdown(quote, screen, '    ')

/** Each place as a person would look it up, with its words below. */
export const quotedPlaces = (quotes: Quote[], screen: Screen): string[] =>
  joined(quotes).flatMap((quote) => ['', ...placeLines(quote, screen), '', ...quoteLines(quote, screen)])

const rowsBehind = (quote: Quote): string => (quote.rows ? `, ${shownRows(quote)}` : '')

/** Prints the table rows of an answer. Their passages are among its sources. */
export const quotedRows = (quotes: Quote[], screen: Screen): string[] =>
  joined(quotes).flatMap((quote) => [
    '',
    `${screen.paint.dim('From')} ${screen.paint.accent(`[${quote.n}]`)}${screen.paint.dim(rowsBehind(quote))}`,
    ...quoteLines(quote, screen),
  ])

/** The places of an answer that holds none of what was asked. */
export const nearestPlaces = (nearest: Citation[], screen: Screen): string[] =>
  nearest.length === 0
    ? []
    : ['', 'These places come closest:', ...nearest.flatMap((citation) => placeLines(citation, screen))]

/** The text of an answer holds its quotes as well, for clients that show nothing else. */
export const ownWords = ({ text, quotes = [] }: Pick<Answer, 'text' | 'quotes'>): string =>
  quotes.reduceRight((words, quote) => {
    const tail = `\n\n${quote.text}`
    if (!words.endsWith(tail)) return words
    const before = words.slice(0, -tail.length)
    return before.slice(0, Math.max(0, before.lastIndexOf('\n\n')))
  }, text)
