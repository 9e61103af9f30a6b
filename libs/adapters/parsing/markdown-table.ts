const cell = (text: string): string => text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')

/** The words of several header rows in one, each once. */
const joined = (rows: readonly string[][], column: number): string =>
  [...new Set(rows.map((row) => (row[column] ?? '').trim()).filter((text) => text !== ''))].join(' ')

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

/** Rows of cells as a Markdown table of one header row; the first `headerRows` become it. */
export const markdownTable = (rows: readonly string[][], headerRows = 1): string => {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const columns = Array.from({ length: width }, (_, column) => column)
  const header = columns.map((column) => joined(rows.slice(0, headerRows), column))
  const body = rows.slice(headerRows).map((row) => line(columns.map((column) => row[column] ?? '')))
  return [line(header), line(columns.map(() => '---')), ...body].join('\n')
}
