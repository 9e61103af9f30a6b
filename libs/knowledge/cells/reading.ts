import type { Table } from './table'

/** What a name of the question stands for, and where it stands there. */
export type Named<T> = { what: T; at: number[] }
export type Row = { row: number; by: number[]; measure: string }

/** One way to understand a question by the words of one table. */
export type Reading = {
  table: Table
  rows: Named<Row>[]
  columns: Named<number>[]
  /** What the caption or the row says is measured, where the column does not. */
  measure: string
}
