import { z } from 'zod'

const Row = z.array(z.string())

/** The text also contains the table as Markdown from line `line` on: column names, a rule, one line per row. */
export const Table = z.object({
  line: z.number().int().min(0),
  header: z.array(Row),
  rows: z.array(Row),
  /**
   * Each merged cell as `[row, column, columns, rows]`, where the rows include the header. All its parts repeat the
   * text.
   */
  spans: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()])).optional(),
})
export type Table = z.infer<typeof Table>

/** A table, or the part of a table that the passage contains. */
export const PassageTable = Table.extend({
  /** The caption from the line above the table. */
  caption: z.string().optional(),
  /** The units as written in the document, such as `in thousands`. */
  units: z.string().optional(),
  /**
   * Set if the table continues in another passage. `repeats`: the number of first rows that the previous passage has
   * too.
   */
  cut: z.object({ before: z.boolean(), behind: z.boolean(), repeats: z.number().int().optional() }).optional(),
  /** The column names, years and row count of the whole table. Set only if the passage contains a part of the table. */
  about: z.string().optional(),
})
export type PassageTable = z.infer<typeof PassageTable>
