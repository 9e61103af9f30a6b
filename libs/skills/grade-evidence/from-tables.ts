import type { Grade, Passage } from '@plumbline/contracts'
import type { Part, Vocabulary } from '@plumbline/knowledge/tables'
import { find, labelTokens, partName, rowName } from '@plumbline/knowledge/tables'
import { figureInProse } from '../reading/figure'
import { boundIn, unbounded } from '../reading/bound'
import type { Unit } from '../reading/units'
import { unitsOf } from '../reading/units'

const grade = (level: Grade['level'], confidence: number, reason: string): Grade => ({
  relevant: level !== 'low',
  level,
  confidence,
  reason,
})

const notCovered = /\b(?:not|no|n['’]t|except|excluding|without|outside|apart from)\b/i

/** A sentence that names the very thing asked for; one that says it is left out answers too. */
const mentionOf = (part: Part, units: Unit[]): Unit | undefined => {
  const about = units.filter(
    ({ kind, text }) =>
      kind !== 'row' && part.label.every(({ tokens }) => tokens.every((token) => labelTokens(text).includes(token))),
  )
  return about.find(({ text }) => notCovered.test(text)) ?? about[0]
}

/** What a passage holds for one part of the question. */
export const gradePart = (request: string, part: Part, vocabulary: Vocabulary, passage: Passage): Grade => {
  // `above 90` bounds the cells of a column and names none.
  const bound = part.rank === null ? boundIn(request, true) : null
  const { cells, near } = find(bound ? unbounded(part, bound) : part, vocabulary)
  const [cell] = cells
  if (cell) {
    const where = `${rowName(cell.table, cell.row)} under ${cell.table.columns[cell.column]?.header ?? ''}`
    return cell.missing
      ? grade('high', 0.9, `Its table shows that nothing is reported for ${where}.`)
      : grade('high', 0.95, `Its table holds ${where}.`)
  }
  if (near)
    return grade('medium', 0.8, `Its table has ${rowName(near.table, near.row)}, but not for ${part.year ?? 'that'}.`)
  const figure = figureInProse(part, [passage])
  if (figure) return grade('high', 0.9, `It gives the figure: “${figure.text}”`)
  const mention = part.label.length > 0 ? mentionOf(part, unitsOf(passage)) : undefined
  if (mention && notCovered.test(mention.text))
    return grade('medium', 0.7, `It says what is left out: “${mention.text}”`)
  if (mention)
    return grade('low', 0.5, `It mentions ${part.label.map(({ raw }) => raw).join(' ')} without the figure asked for.`)
  return grade('low', 0.85, `It holds nothing on ${partName(part)}.`)
}
