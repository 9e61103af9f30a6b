/** What a table is read from; a passage is one. */
export type TableSource = { id: string; title: string; headingPath: string[]; text: string }

/**
 * `attribute`: short words that several rows share; they can be asked for, and rows can be told by them.
 * `key`: numbers left of the rows' names that several rows share, as the size each was tried with.
 */
export type ColumnKind = 'label' | 'key' | 'attribute' | 'metric' | 'year' | 'value'
export type Column = { header: string; kind: ColumnKind; year: string | null }

/** A Markdown table with what stands around it. */
export type Table = {
  passageId: string
  /** The caption, or else the nearest heading. */
  name: string
  /** Nearest heading and caption: they say what every cell is about. */
  context: string
  /** The document's title and the headings above: they say what the whole is about. */
  around: string
  columns: Column[]
  rows: string[][]
}

const absent =
  /^(?:|[-–—−]+|\.{2,3}|…|\?|n\s?\/\s?a|n\.\s?a\.?|nan|null|none|tb[ad]|unknown|(?:not|no|none)(?: yet)? (?:quoted|reported|available|applicable|disclosed|given|stated|published|measured|provided|recorded|covered|data|value|values))\.?$/i

/** A cell that says that nothing is reported. */
export const isMissing = (cell: string): boolean => absent.test(cell.trim())

/** `1.21`, `19%`, `$5 m`, `0.33 × 10^24`, `10–15 (est.)`, but not `2nd facility` nor `3-step plan`. */
export const isNumeric = (cell: string): boolean =>
  /^[~≈<>≤≥±$€£]{0,2}\s?[-−+]?\d[\d,.]*(?!\d|(?:st|nd|rd|th)\b)(?=$|[\s%°–×*/(^]|-\d|[\p{L}µ]{1,6}(?![\p{L}\d]))/u.test(
    signed(cell),
  ) && cell.trim().split(/\s+/).length <= 6

/** Accounts write a loss in brackets: `(12,480)` is −12,480. */
export const signed = (cell: string): string =>
  cell.trim().replace(/^([$€£]?)\(([$€£]?\s?\d[\d,.]*\s?%?)\)(?=$|\s?%$)/, '-$1$2')

export const cellAt = (table: Table, row: number, column: number): string => table.rows[row]?.[column] ?? ''

/** The row's name as people read it, its labels joined by what the first one lacks. */
export const rowName = (table: Table, row: number): string => labelsOf(table, row)[0] ?? ''

export const labelsOf = (table: Table, row: number): string[] =>
  table.columns.flatMap(({ kind }, column) => {
    const cell = cellAt(table, row, column)
    return kind === 'label' && !isMissing(cell) ? [cell] : []
  })

export const attributesOf = (table: Table, row: number): string[] =>
  table.columns.flatMap(({ kind }, column) => {
    const cell = cellAt(table, row, column)
    return kind === 'attribute' && !isMissing(cell) ? [cell] : []
  })

/** What a row is told by beside its name: `Layers 6`. */
export const keysOfRow = (table: Table, row: number): string[] =>
  table.columns.flatMap(({ kind, header }, column) =>
    kind === 'key' && !isMissing(cellAt(table, row, column)) ? [`${header} ${cellAt(table, row, column)}`] : [],
  )

export const metricsOf = (table: Table, row: number): string[] =>
  table.columns.flatMap(({ kind }, column) => (kind === 'metric' ? [cellAt(table, row, column)] : []))

/** The year a row stands for, where years are rows. */
export const yearOfRow = (table: Table, row: number): string | null => {
  const column = table.columns.findIndex(({ kind }) => kind === 'year')
  return column < 0 ? null : (/\d{4}/.exec(cellAt(table, row, column))?.[0] ?? null)
}
