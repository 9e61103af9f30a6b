/** Words that Markdown would take for a heading, its underline, a quote, a fence, a rule or a table keep their meaning behind a backslash. */
const mark = /^(?=#{1,6}(?:\s|$)|>|```|~~~|\||<\/?table|(?:-{2,}|=+|\*{3,}|_{3,})\s*$)/i

/** One line of text that is not Markdown, written so that it reads as itself in Markdown. */
export const escapedLine = (text: string): string => text.replace(/\s+/g, ' ').trim().replace(mark, '\\')

/** The words of a heading, none of whose signs is to be taken for emphasis or code. */
export const escapedHeading = (text: string): string =>
  text.replace(/__|\*\*|`/g, (signs) => signs.replace(/./g, '\\$&'))

/** A paragraph keeps its line breaks. */
export const paragraph = (text: string): string =>
  text
    .split('\n')
    .map(escapedLine)
    .filter((line) => line !== '')
    .join('\n')

/** Paragraphs of a text that is not Markdown, between its empty lines. */
export const paragraphs = (text: string): string => blocks(text.split(/\n[^\S\n]*\n/).map(paragraph))

/** Words with the address they point to, where they do not name it themselves. */
export const linked = (text: string, target: string | undefined): string => {
  const url =
    target !== undefined && /^(?:https?:|mailto:)/i.test(target)
      ? target.replace(/[\s()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`)
      : undefined
  const trimmed = text.trim()
  if (
    url === undefined ||
    trimmed === '' ||
    trimmed.startsWith('[') ||
    url.replace(/^mailto:/i, '').startsWith(trimmed)
  )
    return text
  return text.replace(trimmed, () => `[${trimmed}](${url})`)
}

/** Parts one under another; a list of them may be as long as a file. */
export const blocks = (...parts: (string | undefined | readonly string[])[]): string =>
  parts
    .flat()
    .filter((part) => part !== undefined && part !== '')
    .join('\n\n')

const cell = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')

/** The words of several header rows in one, each once. */
const joined = (rows: readonly string[][], column: number): string =>
  [...new Set(rows.map((row) => (row[column] ?? '').trim()).filter((text) => text !== ''))].join(' ')

export const headerNames = (rows: readonly string[][], width: number): string[] =>
  Array.from({ length: width }, (_, column) => joined(rows, column))

export const tableLine = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

/** Rows of cells as a Markdown table of one header row; the first `headerRows` become it. */
export const markdownTable = (rows: readonly string[][], headerRows = 1): string => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const columns = Array.from({ length: width }, (_, column) => column)
  const header = headerNames(rows.slice(0, headerRows), width)
  const body = rows.slice(headerRows).map((row) => tableLine(columns.map((column) => row[column] ?? '')))
  return [tableLine(header), tableLine(columns.map(() => '---')), ...body].join('\n')
}

/** Code as a fenced block, in a fence longer than any that it holds; blank lines around it go, nothing else does. */
export const fenced = (code: string, language: string): string => {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  const lines = code.split('\n')
  const from = lines.findIndex((line) => line.trim() !== '')
  const to = lines.findLastIndex((line) => line.trim() !== '')
  return `${fence}${language}\n${lines.slice(Math.max(0, from), to + 1).join('\n')}\n${fence}`
}
