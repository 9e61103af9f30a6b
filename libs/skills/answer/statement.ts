import type { Cell } from '@plumbline/knowledge/tables'

/** One sentence to be: without its end mark, without its citations. */
export type Statement = {
  text: string
  passageIds: string[]
  /** What a value sentence says, so that several years of one row can share a sentence. */
  cell?: { of: string; said: string; cell: Cell }
}
