import { z } from 'zod'

const Row = z.array(z.string())

/** The text also contains the table in Markdown, from line `line` on: column names, dashes, and one line per row. */
export const Table = z.object({
  line: z.number().int().min(0),
  header: z.array(Row),
  rows: z.array(Row),
  /** Merged cells as `[row, column, columns, rows]`. Row 0 is the first header row. Each covered cell has the text. */
  spans: z.array(z.tuple([z.number().int(), z.number().int(), z.number().int(), z.number().int()])).optional(),
})
export type Table = z.infer<typeof Table>

export const PassageTable = Table.extend({
  caption: z.string().optional(),
  units: z.string().optional(),
  /** Whether the table continues in other passages. `repeats`: how many first rows the previous passage also has. */
  cut: z.object({ before: z.boolean(), behind: z.boolean(), repeats: z.number().int().optional() }).optional(),
  /** The columns, years and row count of the whole table. Set only if the passage contains a part of the table. */
  about: z.string().optional(),
})
export type PassageTable = z.infer<typeof PassageTable>
