import type { Part } from '@plumbline/knowledge/tables'
import { escaped, numbers, years } from '@plumbline/knowledge/text'

/** What a figure in a text is held against: `above 90`, `no more than 5`, `between 1.08 and 1.10`. */
export type Bound = { raws: string[]; passes: (value: number) => boolean }

const over = /\b(?:above|over|beyond|(?:more|greater|higher|larger|bigger|better) than|exceed\w*|surpass\w*)\s*$/i
const under = /\b(?:below|under|(?:less|fewer|lower|smaller|worse) than)\s*$/i
const from = /\b(?:at least|minimum of|from|not less than)\s*$/i
const upTo = /\b(?:at most|up to|maximum of)\s*$/i
const exactly = /\b(?:exactly|equal to|of just|of)\s*$/i
const orMore = /^\W*(?:or|and)\s+(?:more|above|over|higher|greater|up)\b/i
const orLess = /^\W*(?:or|and)\s+(?:less|below|under|lower|fewer)\b/i
const denied = /(?:\b(?:no|not|never)|n['’]t)\s+(?:\w+\s+)?$/i

type Holds = (value: number, bound: number) => boolean
const above: Holds = (value, bound) => value > bound
const below: Holds = (value, bound) => value < bound
const atLeast: Holds = (value, bound) => value >= bound
const atMost: Holds = (value, bound) => value <= bound

/** How the words around a figure bound what is held against it; null where they do not. */
const holdsOf = (before: string, after: string, exact: boolean): Holds | null => {
  if (orMore.test(after)) return atLeast
  if (orLess.test(after)) return atMost
  const found = (
    [
      [from, atLeast, below],
      [upTo, atMost, above],
      [over, above, atMost],
      [under, below, atLeast],
    ] as const
  ).find(([words]) => words.test(before))
  if (!found) return exact && exactly.test(before) ? (value, bound) => value === bound : null
  const [words, is, isNot] = found
  return denied.test(before.replace(words, '')) ? isNot : is
}

/** Where a figure stands: 20 is no part of 2022. */
export const placeOf = (text: string, raw: string): number =>
  Math.max(0, text.search(new RegExp(String.raw`(?<![\d.,]|\d-)${escaped(raw)}(?!\d|[.,]\d)`)))

/** The bounds a text sets, all of which must hold; null where it sets none. `exact`: `a share of 100 %` is one, too. */
export const boundIn = (text: string, exact = false): Bound | null => {
  const told = years(text)
  const figures = numbers(text).filter(({ raw, unit }) => /\d/.test(raw) && unit !== 'th' && !told.includes(raw))
  const [low, high] = figures
  if (
    low &&
    high &&
    new RegExp(String.raw`\bbetween\s+${escaped(low.raw)}\D*\band\s+${escaped(high.raw)}`, 'i').test(text)
  )
    return { raws: [low.raw, high.raw], passes: (value) => value >= low.value && value <= high.value }
  const bounds = figures.map(({ raw, value }) => {
    const at = placeOf(text, raw)
    return {
      raw,
      value,
      holds: holdsOf(
        text.slice(0, at),
        text.slice(at + raw.length).replace(/^\s?(?:%|[\p{L}/]+(?=\s+or\b))/u, ''),
        exact,
      ),
    }
  })
  if (bounds.length === 0 || bounds.some(({ holds }) => holds === null)) return null
  return {
    raws: bounds.map(({ raw }) => raw),
    passes: (figure) => bounds.every(({ holds, value }) => holds?.(figure, value)),
  }
}

/** A part without the figures that bound its cells: they are no words of its measure. */
export const unbounded = (part: Part, { raws }: Bound): Part => {
  const figures = raws.flatMap((raw) => raw.match(/\d[\d.,]*/g) ?? [])
  return { ...part, metric: part.metric.filter(({ raw }) => !figures.includes(raw)) }
}
