import type { Working } from '@plumbline/contracts'
import { fold } from '@plumbline/knowledge/text'
import type { Operation } from './asked'
import type { Input } from './working'
import { workOut } from './working'

/** One figure to be worked with: how it is called, and where it was read. */
export type Operand = {
  said: string
  value: number
  unit: string
  passageId: string | null
  year: string | null
  row?: string
}

const slug = (said: string): string =>
  fold(said)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^(?=\d)/, 'n')
    .replace(/^_+|_+$/g, '')
    .slice(0, 40)

/** A name for each: its own words where it has some, its place where it is only a number. */
const named = (operands: Operand[], names: string[] = []): Input[] => {
  const taken = new Set<string>()
  return operands.map(({ said, value, unit, passageId }, at) => {
    const own = names[at] ?? (/[a-z]/i.test(said) ? slug(said) : '')
    const name = own === '' || taken.has(own) ? `value_${at + 1}` : own
    taken.add(name)
    return { name, value, passageId, ...(unit !== '' && { unit }) }
  })
}

const listed = (all: string[]): string =>
  all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`
const points = (unit: string): string => (unit === '%' ? 'percentage points' : unit)

type Two = [Operand, Operand]
const two = (operands: Operand[]): Two | null => {
  const [first, last] = [operands[0], operands.at(-1)]
  return first && last && first !== last ? [first, last] : null
}

/** The earlier first; only one thing changes, and only between two times. */
const ends = (operands: Operand[]): Two | null => {
  const pair = two([...operands].sort((a, b) => Number(a.year) - Number(b.year)))
  const dated = operands.every(({ year, row }) => year !== null && row === operands[0]?.row)
  return dated || operands.every(({ passageId, year }) => passageId === null && year === null) ? pair : null
}

const total = (operands: Operand[]): Working | null => {
  const inputs = named(operands)
  return workOut(
    `Total of ${listed(operands.map(({ said }) => said))}`,
    inputs.map(({ name }) => name).join(' + '),
    inputs,
    operands[0]?.unit,
  )
}

const average = (operands: Operand[]): Working | null => {
  const inputs = named(operands)
  return workOut(
    `Average of ${listed(operands.map(({ said }) => said))}`,
    `(${inputs.map(({ name }) => name).join(' + ')}) / ${inputs.length}`,
    inputs,
    operands[0]?.unit,
  )
}

const difference = (operands: Operand[], signed: boolean): Working | null => {
  const pair = operands.length === 2 ? two(operands) : null
  if (!pair) return null
  const [a, b] = signed || pair[0].value >= pair[1].value ? pair : [pair[1], pair[0]]
  const inputs = named([a, b])
  return workOut(
    `Difference between ${pair[0].said} and ${pair[1].said}`,
    inputs.map(({ name }) => name).join(' − '),
    inputs,
    points(a.unit),
  )
}

const change = (operands: Operand[]): Working | null => {
  const pair = ends(operands)
  return (
    pair &&
    workOut(
      `Change from ${pair[0].said} to ${pair[1].said}`,
      'after − before',
      named([pair[1], pair[0]], ['after', 'before']),
      points(pair[0].unit),
    )
  )
}

/** Between two times of one thing, or of the first against the second. */
const percentChange = (operands: Operand[]): Working | null => {
  const changed = ends(operands)
  const pair = changed ?? (operands.length === 2 ? two(operands) : null)
  if (!pair) return null
  const [before, after] = changed ? pair : [pair[1], pair[0]]
  const what = changed
    ? `Percentage change from ${before.said} to ${after.said}`
    : `Percentage difference of ${after.said} against ${before.said}`
  return workOut(what, '(after − before) / before × 100', named([after, before], ['after', 'before']), '%')
}

const share = (operands: Operand[], wholeFirst: boolean): Working | null => {
  const pair = operands.length === 2 ? two(operands) : null
  if (!pair) return null
  const [part, whole] = wholeFirst ? [pair[1], pair[0]] : pair
  return workOut(
    `Share of ${part.said} in ${whole.said}`,
    'part / whole × 100',
    named([part, whole], ['part', 'whole']),
    '%',
  )
}

const ratio = (operands: Operand[]): Working | null => {
  const pair = operands.length === 2 ? two(operands) : null
  const inputs = pair && named(pair)
  return (
    pair &&
    inputs &&
    workOut(`Ratio of ${pair[0].said} to ${pair[1].said}`, inputs.map(({ name }) => name).join(' / '), inputs)
  )
}

/** Figures of different units are no inputs of one sum. */
const alike = (operands: Operand[]): boolean => operands.every(({ unit }) => unit === operands[0]?.unit)

export const operate = (operation: Operation, operands: Operand[], question: string): Working | null => {
  if (operands.length < 2 || operands.length > 40 || !alike(operands)) return null
  switch (operation) {
    case 'total':
      return total(operands)
    case 'average':
      return average(operands)
    case 'difference':
      return ends(operands) && operands.every(({ year }) => year !== null)
        ? change(operands)
        : difference(operands, /\bhow (?:much|many)\b.*\bthan\b/i.test(question))
    case 'change':
      return change(operands)
    case 'percent-change':
      return percentChange(operands)
    case 'share':
      return share(
        operands,
        /(?:percent(?:age)?|per cent|%|share|fraction|proportion)\s+of\b.*\b(?:is|are|was|were)\b/i.test(question),
      )
    case 'ratio':
      return ratio(operands)
    case 'percent-of':
      return null
  }
}
