import { z } from 'zod'

const Row = z.array(z.string())

/** A parsed table. Its Markdown is in a text from `line` on: the column names, a rule, and one line per row. */
export const Table = z.object({
  line: z.number().int().min(0),
  /** The header rows, the top one first. */
  header: z.array(Row),
  rows: z.array(Row),
  /** Merged cells, whose text is repeated in each: row, column, columns, rows; header rows are counted. */
  spans: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()])).optional(),
})
export type Table = z.infer<typeof Table>

/** A table in a passage, or a part of one. */
export const PassageTable = Table.extend({
  /** Its caption, from the line above. */
  caption: z.string().optional(),
  /** The unit of all its figures, as the table states it: `in thousands`. */
  units: z.string().optional(),
  /** It continues in the passage before or behind; this many of its first rows are repeated. */
  cut: z.object({ before: z.boolean(), behind: z.boolean(), repeats: z.number().int().optional() }).optional(),
  /** For a part: a one-line summary of the whole table. */
  about: z.string().optional(),
})
export type PassageTable = z.infer<typeof PassageTable>
