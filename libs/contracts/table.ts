import { z } from 'zod'

const Row = z.array(z.string())

/** A table as it was read. Its Markdown stands in a text from `line` on: the names of the columns, a rule, and a line for each row. */
export const Table = z.object({
  line: z.number().int().min(0),
  /** The rows that name the columns, the top one first. */
  header: z.array(Row),
  rows: z.array(Row),
  /** Cells over several columns or rows, whose text each of these repeats: row, column, columns, rows; header rows count. */
  spans: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()])).optional(),
})
export type Table = z.infer<typeof Table>

/** A table, or a part of one, as it stands in a passage. */
export const PassageTable = Table.extend({
  /** What the line above it calls it. */
  caption: z.string().optional(),
  /** What all its figures are given in, as it says of itself: `in thousands`. */
  units: z.string().optional(),
  /** It goes on in the passage before or behind; so many of its first rows are only repeated. */
  cut: z.object({ before: z.boolean(), behind: z.boolean(), repeats: z.number().int().optional() }).optional(),
  /** Of a part: what the whole table has, in a line. */
  about: z.string().optional(),
})
export type PassageTable = z.infer<typeof PassageTable>
