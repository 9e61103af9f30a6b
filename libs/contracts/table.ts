import { z } from 'zod'

const Row = z.array(z.string())

/** The cells of a table. The text also contains the table as Markdown, which begins at line `line`. */
export const Table = z.object({
  line: z.number().int().min(0),
  header: z.array(Row),
  rows: z.array(Row),
  /**
   * The merged cells, each as `[row, column, columns, rows]`. Row 0 is the first header row. All cells that a merged
   * cell covers contain its text.
   */
  spans: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()])).optional(),
})
export type Table = z.infer<typeof Table>

export const PassageTable = Table.extend({
  caption: z.string().optional(),
  units: z.string().optional(),
  /** Present if the table continues in other passages. The first `repeats` rows are also in the previous passage. */
  cut: z.object({ before: z.boolean(), behind: z.boolean(), repeats: z.number().int().optional() }).optional(),
  /** The columns, the years and the row count of the whole table. Present only if the passage contains a part of it. */
  about: z.string().optional(),
})
export type PassageTable = z.infer<typeof PassageTable>
