import { z } from 'zod'

const Row = z.array(z.string())

/**
 * A parsed table. The text also contains the table as Markdown, beginning at line number `line`: column names, a rule,
 * and one line per row.
 */
export const Table = z.object({
  line: z.number().int().min(0),
  /** The header rows, from top to bottom. */
  header: z.array(Row),
  rows: z.array(Row),
  /**
   * Merged cells as `[row, column, columns, rows]`. Row numbers include the header rows. The text of a merged cell is
   * repeated in each of its cells.
   */
  spans: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()])).optional(),
})
export type Table = z.infer<typeof Table>

/** A table in a passage. The passage may contain only a part of the table. */
export const PassageTable = Table.extend({
  /** The caption of the table, from the line above the table. */
  caption: z.string().optional(),
  /** The unit of all numbers in the table, as written in the document, such as `in thousands`. */
  units: z.string().optional(),
  /**
   * Set if the table continues in the previous or the next passage. `repeats`: how many of the first rows are also in
   * the previous passage.
   */
  cut: z.object({ before: z.boolean(), behind: z.boolean(), repeats: z.number().int().optional() }).optional(),
  /** A one-line summary of the whole table. Set only if the passage contains a part of the table. */
  about: z.string().optional(),
})
export type PassageTable = z.infer<typeof PassageTable>
