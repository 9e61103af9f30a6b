import { z } from 'zod'

const Row = z.array(z.string())

/** A parsed table. The text contains it as Markdown from line `line` on: column names, a rule, and one line per row. */
export const Table = z.object({
  line: z.number().int().min(0),
  /** The header rows, the top one first. */
  header: z.array(Row),
  rows: z.array(Row),
  /**
   * Merged cells as `[row, column, columns, rows]`. Row numbers include the header rows. The text is repeated in each
   * cell.
   */
  spans: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()])).optional(),
})
export type Table = z.infer<typeof Table>

/** A table in a passage, or a part of one. */
export const PassageTable = Table.extend({
  /** The caption of the table, from the line above it. */
  caption: z.string().optional(),
  /** The unit of all figures, as the table states it, such as `in thousands`. */
  units: z.string().optional(),
  /**
   * Set if the table continues in the previous or next passage. `repeats`: the number of first rows that repeat earlier
   * ones.
   */
  cut: z.object({ before: z.boolean(), behind: z.boolean(), repeats: z.number().int().optional() }).optional(),
  /** A one-line summary of the whole table. Set only if this is a part of it. */
  about: z.string().optional(),
})
export type PassageTable = z.infer<typeof PassageTable>
