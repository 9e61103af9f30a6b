/** The cells of a row of a Markdown table, as they are written. */
export const rowCells = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
