/** Where a cell's text goes on below. */
export const lineBreak = /<br\s*\/?>/i

/** A text with the words of its links and images for these. */
export const withoutLinks = (text: string): string => text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')

/** The cells of a row of a Markdown table, as they are written. */
export const rowCells = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
