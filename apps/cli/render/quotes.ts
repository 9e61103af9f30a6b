import { cleanName, shownRows, type Answer, type Citation, type Quote } from '@plumbline/contracts'
import { markdownLines } from './markdown'
import { type Screen, sourceTitle, wrap } from './text'

const citationLines = (citation: Citation & Pick<Quote, 'rows'>, { paint, width }: Screen): string[] => {
  const { n, page, file, url, date } = citation
  const where = `${sourceTitle(citation)}${page === undefined ? '' : ` (p. ${page})`}`
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

/** Returns the part of a quoted table above its rows, with the header. Null if the quote does not end with rows. */
const aboveRows = (text: string): string | null => {
  const lines = text.split('\n')
  const at = lines.findLastIndex((line) => delimiter.test(line))
  const rows = lines.slice(at + 1)
  return at < 1 || rows.some((line) => !line.includes('|')) ? null : lines.slice(0, at + 1).join('\n')
}

const rowsBelow = (text: string, above: string): string[] => text.slice(above.length).split('\n').slice(1)

/** Returns how many different rows two quotes of a table contain, or `{}` if they contain the whole table. */
const rowsOfBoth = (before: Quote, quote: Quote, above: string): Pick<Quote, 'rows'> => {
  if (!before.rows || !quote.rows) return {}
  const shown = new Set([before, quote].flatMap(({ text }) => rowsBelow(text, above))).size
  return shown < before.rows.of || before.rows.more ? { rows: { ...before.rows, shown } } : {}
}

/** Joins quotes that contain rows of the same table. The table then appears once, under its header. */
export const joinedQuotes = (quotes: Quote[]): Quote[] =>
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

const quoteLines = (quote: Quote, screen: Screen): string[] => markdownLines(quote, screen, '    ')

export const quoteBlocks = (quotes: Quote[], screen: Screen): string[] =>
  joinedQuotes(quotes).flatMap((quote) => ['', ...citationLines(quote, screen), '', ...quoteLines(quote, screen)])

const rowsBehind = (quote: Quote): string => (quote.rows ? `, ${shownRows(quote)}` : '')

export const rowBlocks = (quotes: Quote[], screen: Screen): string[] =>
  joinedQuotes(quotes).flatMap((quote) => [
    '',
    `${screen.paint.dim('From')} ${screen.paint.accent(`[${quote.n}]`)}${screen.paint.dim(rowsBehind(quote))}`,
    ...quoteLines(quote, screen),
  ])

export const nearestLines = (nearest: Citation[], screen: Screen): string[] =>
  nearest.length === 0
    ? []
    : ['', 'The closest passages are:', ...nearest.flatMap((citation) => citationLines(citation, screen))]

/** Returns the answer text without its quotes. The text contains them only for clients that show nothing else. */
export const textWithoutQuotes = ({ text, quotes = [] }: Pick<Answer, 'text' | 'quotes'>): string =>
  quotes.reduceRight((words, quote) => {
    const tail = `\n\n${quote.text}`
    if (!words.endsWith(tail)) return words
    const before = words.slice(0, -tail.length)
    return before.slice(0, Math.max(0, before.lastIndexOf('\n\n')))
  }, text)
