import { hasData, root } from '@plumbline/skills/eval/data'
import type { Judged } from '@plumbline/skills/eval/judged'
import { figures, isHeldOut } from '@plumbline/skills/eval/judged'
import type { Measure } from '@plumbline/skills/eval/measures'
import { measures } from '@plumbline/skills/eval/measures'

export { hasData, root }
/** One line of the table. `tuned` and `heldOut`: the halves that were looked at and left alone while the skills were improved. */
export type Row = {
  name: string
  set: string
  rows: number
  measure: string
  figure: number
  tuned: number
  heldOut: number
  floor: number | null
  msPerRow: number
}

const kindsOf = (judged: Judged[]): string => {
  const kinds = Object.entries(Object.groupBy(judged, ({ kind }) => kind)).toSorted()
  return kinds
    .map(
      ([kind, rows = []]) => `${kind} ${rows.filter(({ score, good }) => score >= 0.5 === good).length}/${rows.length}`,
    )
    .join(', ')
}

const measured = async (measure: Measure): Promise<Row & { kinds: string }> => {
  const from = performance.now()
  const judged = await measure.judge()
  const msPerRow = (performance.now() - from) / Math.max(1, judged.length)
  const of = (rows: Judged[]): number => Number(figures[measure.figure](rows).toFixed(3))
  const halves = Object.groupBy(judged, (row) => (isHeldOut(row) ? 'heldOut' : 'tuned'))
  return {
    name: measure.name,
    set: measure.set,
    rows: judged.length,
    measure: measure.figure,
    figure: of(judged),
    tuned: of(halves.tuned ?? []),
    heldOut: of(halves.heldOut ?? []),
    floor: measure.floor,
    msPerRow: Number(msPerRow.toFixed(1)),
    kinds: kindsOf(judged),
  }
}

export const holds = ({ figure, floor }: Pick<Row, 'figure' | 'floor'>): boolean => floor === null || figure >= floor

const moved = (row: Row, before: Row[]): string => {
  const old = before.find(({ name }) => name === row.name)
  const by = old ? row.figure - old.figure : 0
  return old === undefined ? 'new' : Math.abs(by) < 0.0005 ? '=' : `${by > 0 ? '+' : ''}${by.toFixed(3)}`
}

/** Every measure one after another, each told as soon as it is known. */
export const table = async (before: Row[], tell: (line: string) => void): Promise<Row[]> => {
  const cells = (all: string[]): string => all.map((cell, at) => (at < 1 ? cell.padEnd(28) : cell.padStart(9))).join('')
  tell(cells(['measure', 'rows', 'of', 'figure', 'before', 'tuned', 'held out', 'floor', 'holds', 'ms/row']))
  const done: Row[] = []
  for (const measure of measures) {
    const { kinds, ...row } = await measured(measure)
    const numbers = [row.figure.toFixed(3), moved(row, before), row.tuned.toFixed(3), row.heldOut.toFixed(3)]
    const verdict = row.floor === null ? '' : holds(row) ? 'yes' : 'NO'
    tell(
      cells([
        row.name,
        String(row.rows),
        row.measure,
        ...numbers,
        row.floor?.toFixed(2) ?? '',
        verdict,
        row.msPerRow.toFixed(1),
      ]),
    )
    tell(`  ${row.set}: right by kind: ${kinds}`)
    done.push(row)
  }
  return done
}
