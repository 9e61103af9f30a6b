import type { Part, Resolution, Vocabulary } from '@plumbline/knowledge/tables'
import { askedIn, find, firstParts } from '@plumbline/knowledge/tables'
import { boundIn, unbounded } from './bound'
import type { Want } from './need'
import { wantOf } from './need'

/** A part of a request and what the tables hold for it. */
export type Lookup = { request: string; part: Part; resolution: Resolution }

/** More cells than anybody asks for at once: what is beyond them is not looked up. */
const mostParts = 256

/** `When was X found?`: beside `Found by` it is `Found (year)` that is meant. */
const timed = (request: string, part: Part): Part =>
  wantOf(request) !== 'when' || part.metric.length === 0
    ? part
    : { ...part, metric: [...part.metric, { raw: 'year', stem: 'year', weight: 0.3, critical: false }] }

/** Whoever launched it is no year and no figure. */
const naming = (request: string, resolution: Resolution): Resolution =>
  wantOf(request) !== 'who' || resolution.part.rank !== null || resolution.part.label.length === 0
    ? resolution
    : { ...resolution, cells: resolution.cells.filter(({ text, missing }) => missing || /\p{L}/u.test(text)) }

export const lookUp = (question: string, vocabulary: Vocabulary): Lookup[] =>
  askedIn(question, vocabulary, 'question').flatMap((asked) =>
    firstParts(asked, mostParts).map((part) => ({
      request: asked.text,
      part,
      resolution: naming(asked.text, find(timed(asked.text, part), vocabulary)),
    })),
  )

/** The measure asked for is one that these tables hold, whether or not they hold it for this row. */
const measured = ({ metric, year }: Part, { tables, context }: Vocabulary): boolean => {
  const total = metric.reduce((sum, { weight }) => sum + weight, 0)
  const held = metric.reduce((sum, { weight, stem }) => sum + (context.has(stem) ? weight : 0), 0)
  return tables.length > 0 && total >= 1 && held / total >= (year === null ? 0.6 : 0.5)
}

const figure =
  /\b(?:values?|figures?|numbers?|percentages?|percent|rates?|amounts?|levels?|share|how (?:many|much|high|low|large))\b/i

const aboutPeople: ReadonlySet<Want> = new Set(['who', 'where', 'when', 'why'])

/** Names a measure and a row, a year or a rank: what a table could hold. */
export const isSpecific = ({ metric, label, keys, year, rank }: Part): boolean =>
  metric.some(({ weight }) => weight >= 0.5) && (label.length + keys.length > 0 || year !== null || rank !== null)

/** Asks for data: a cell was found, or a figure is asked for, or a measure these tables know. */
export const asksForData = (lookups: Lookup[], vocabulary: Vocabulary): boolean =>
  lookups.some(({ request, part, resolution }) => {
    const { label, year, rank } = part
    if (wantOf(request) === 'why') return false
    const bound = boundIn(request, true)
    if (
      bound &&
      part.metric.some(({ weight }) => weight >= 1) &&
      find(unbounded(part, bound), vocabulary).cells.length > 0
    )
      return true
    if (label.length === 0 && year === null && rank === null)
      return new Set(resolution.cells.map(({ table, row }) => `${table.name}|${row}`)).size === 1
    if (resolution.cells.length > 0) return isSpecific(part) || year !== null
    // Of a row that is named nothing was ranked.
    if (rank !== null && label.length > 0 && isSpecific(part) && resolution.near !== null) return true
    if (!isSpecific(part) || rank !== null || (label.length === 0 && year === null) || aboutPeople.has(wantOf(request)))
      return false
    return (
      measured(part, vocabulary) ||
      (year !== null && (figure.test(request) || label.some(({ keys }) => keys.length > 0)))
    )
  })
