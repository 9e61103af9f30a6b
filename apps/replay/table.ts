import { cleanName } from '@plumbline/contracts'
import type { CaseComparison, Change } from './compare'

const most = 44
const cut = (text: string): string => {
  const name = cleanName(text)
  return name.length <= most ? name : `${name.slice(0, most - 1)}…`
}
const scoreOf = (score: number | null): string => (score === null ? '–' : score.toFixed(2))
const arrow = (before: string, after: string): string => (before === after ? before : `${before} → ${after}`)

const cellsOf = ({ question, action, change, reason, score, flips }: CaseComparison): string[] => [
  change,
  cut(question),
  action,
  arrow(reason.before, reason.after),
  arrow(scoreOf(score.before), scoreOf(score.after)),
  flips.length === 0 ? '' : `${flips.length}`,
]
const head = ['change', 'question', 'decision', 'outcome', 'score', 'flipped']

const aligned = (rows: string[][]): string[] => {
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const flipped = ({ id, flips }: CaseComparison): string[] =>
  flips.length === 0 ? [] : [id, ...flips.map(({ claim, from, to }) => `  ${from} → ${to}: ${cleanName(claim)}`)]

const changes: Change[] = ['same', 'better', 'worse', 'other']
const summary = (all: CaseComparison[]): string => {
  const counts = changes.map((change) => `${all.filter((one) => one.change === change).length} ${change}`)
  return `${all.length} ${all.length === 1 ? 'case' : 'cases'}: ${counts.join(', ')}.`
}

export const tableOf = (all: CaseComparison[]): string[] => {
  const changed = all.filter(({ change }) => change !== 'same')
  const rows = changed.length > 0 ? [...aligned([head, ...changed.map(cellsOf)]), ''] : []
  const flips = changed.flatMap(flipped)
  return [...rows, ...flips, ...(flips.length > 0 ? [''] : []), summary(all)]
}
