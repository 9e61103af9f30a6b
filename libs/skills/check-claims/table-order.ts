import type { Asked, Part, Vocabulary } from '@plumbline/knowledge/tables'
import { extremes, find, labelTokens, labelsOf, numberIn, partsOf } from '@plumbline/knowledge/tables'
import { place } from './place'
import { matchCell } from './quantities'
import type { Finding } from './verdict'
import { contradicted, supported } from './verdict'

const ranked =
  /\b(?:was|were|is|are)\s+(?:at\s+(?:its|their)\s+)?(?:the\s+)?(?:highest|lowest|greatest|largest|smallest)\s+in\b/i

/** A row said to be first is first among all rows, or among those that share what is named beside it. */
export const judgeRank = (asked: Asked, text: string, vocabulary: Vocabulary): Finding | null => {
  const [part] = partsOf(asked)
  if (!part || part.rank === null) return null
  const rank = part.rank
  const overYears = ranked.test(text)
  const isOwn = (label: Part['label'][number]): boolean =>
    vocabulary.tables.some((table) =>
      table.rows.some((_, row) =>
        labelsOf(table, row).some((cell) => label.keys.includes(labelTokens(cell).join(' '))),
      ),
    )
  const subjects = asked.labels.flat().filter(isOwn)
  const shared = asked.labels.flat().filter((label) => !isOwn(label))
  const pool = overYears
    ? find({ ...part, year: null, rank: null }, vocabulary)
    : find({ ...part, label: shared }, vocabulary)
  const cells = pool.cells.filter((cell) => !cell.missing)
  const edge = extremes(cells, rank)
  const [first] = edge
  if (!first || cells.length < 2) return null
  const holds = overYears
    ? asked.years.every((year) => edge.some((cell) => cell.year === year))
    : subjects.length > 0 &&
      subjects.every((label) =>
        edge.some((cell) =>
          labelsOf(cell.table, cell.row).some((own) => label.keys.includes(labelTokens(own).join(' '))),
        ),
      )
  const truth = `the ${rank} is ${first.text} at ${edge.map(place).join(' and ')}`
  if (!holds) return contradicted(`In “${first.table.name}” ${truth}.`, first.table.passageId)
  const wrong = asked.values.find((value) => matchCell(value, first, '') !== 'same')
  return wrong
    ? contradicted(`In “${first.table.name}” ${truth}, not ${wrong.raw}.`, first.table.passageId)
    : supported(`In “${first.table.name}” ${truth}.`, first.table.passageId)
}

const higher = /\b(?:higher|greater|larger|bigger|more|above|exceeds?|exceeded)\b[^.]*\b(?:than|that|those)\b/i
const lower = /\b(?:lower|smaller|less|fewer|below)\b[^.]*\b(?:than|that|those)\b/i
const rose = /\b(?:rose|rises?|risen|increas\w+|grew|grown|climbed|went up)\b/i
const fell = /\b(?:fell|falls?|fallen|decreas\w+|dropp\w+|declin\w+|shrank|went down)\b/i

const firstNumber = (asked: Asked | undefined, vocabulary: Vocabulary, at: number): number | null => {
  if (!asked) return null
  const stated = asked.values[at]
  if (stated) return stated.value
  const cell = partsOf({ ...asked, rank: null })[at]
  const found = cell ? find({ ...cell, rank: null }, vocabulary).cells[0] : undefined
  return found ? numberIn(found) : null
}

/** Higher than, lower than, rose, fell: the two figures must stand that way. */
export const judgeDirection = (all: Asked[], text: string, vocabulary: Vocabulary): Finding | null => {
  const [first] = all
  const up = rose.test(text)
  const change = up || fell.test(text)
  if (!first || !(change || higher.test(text) || lower.test(text))) return null
  const more = change ? !up : higher.test(text)
  const a = firstNumber(first, vocabulary, 0)
  const b = all.length > 1 ? firstNumber(all[1], vocabulary, 0) : firstNumber(first, vocabulary, 1)
  if (a === null || b === null) return null
  const id = find({ ...(partsOf(first)[0] as Part), rank: null }, vocabulary).cells[0]?.table.passageId ?? null
  return (more ? a > b : a < b)
    ? supported(`${a} and ${b} stand that way.`, id)
    : contradicted(`It is the other way round: ${a} against ${b}.`, id)
}
