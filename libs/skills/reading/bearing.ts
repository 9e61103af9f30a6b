import type { TableSource } from '@plumbline/knowledge/tables'
import type { Alias } from '@plumbline/knowledge/tables'
import { aliasesIn, termsOf } from '@plumbline/knowledge/tables'
import { stem, years } from '@plumbline/knowledge/text'
import type { Need } from './need'
import { needOf, satisfies } from './need'
import type { Unit } from './units'
import { unitsOf } from './units'

/** A unit with how much of the question it takes up: 0 nothing, 1 all of it. */
export type Bearing = Unit & { score: number; own: number }

/** Words that say how the answer is to look rather than what it is about. */
const shape = new Set(
  'type subtype subcategory kind category stage phase step component part element way method approach reason example form feature option name process mean stand long many often term key main different'
    .split(' ')
    .map(stem),
)
const weightIn = (need: Need, units: { terms: ReadonlySet<string> }[]): Map<string, number> =>
  new Map(
    need.words.map((word) => {
      const held = units.filter(({ terms }) => terms.has(word)).length
      const rare = 0.5 + 0.5 * (Math.log((units.length + 1) / (held + 1)) / Math.log(units.length + 2))
      return [word, shape.has(word) ? 0.25 : rare * (need.names.includes(word) ? 1.5 : 1)]
    }),
  )

/** Below this a sentence is about something else. A long question is never taken up whole by one sentence. */
export const barFor = (question: string): number =>
  Math.max(0.33, Math.min(0.52, 0.62 - 0.03 * needOf(question).words.length))

const inLean = 0.8
const inPassage = 0.5
/** A name that stands elsewhere in the passage, or nowhere in it. */
const namedAfar = 0.75
const unnamed = 0.6

type Read = Unit & { terms: Set<string>; leaned: Set<string>; topic: Set<string>; around: Set<string> }

/** The unit of a column is not what the column is about. */
const withoutUnits = ({ kind, text }: Unit): string =>
  kind === 'row' ? text.replace(/\s\([^()]*\)(?=:\s)/g, '') : text

const readAll = (sources: readonly TableSource[], aliases: readonly Alias[]): Read[] =>
  sources.flatMap((source) => {
    const topic = termsOf([source.title, ...source.headingPath].join('\n'), aliases)
    const around = new Set([...topic, ...termsOf(source.text, aliases)])
    return unitsOf(source).map((unit) => ({
      ...unit,
      terms: termsOf(withoutUnits(unit), aliases),
      leaned: termsOf(unit.lean, aliases),
      topic,
      around,
    }))
  })

/** `X is …`, `X, also called …` at the start of a sentence tells what X is. */
const defines = ({ text }: Unit, { names, words }: Need): boolean => {
  const start = text.split(/\b(?:is|are|refers? to|means?|stands? for|short for|:)/)[0] ?? ''
  const subject = names.length > 0 ? names : words
  const terms = termsOf(start, [])
  return (
    start.length < 80 &&
    start.length < text.length &&
    subject.filter((word) => !shape.has(word)).every((word) => terms.has(word))
  )
}

/** Announces or holds the sorts of something. */
const subsorts = /\bsub(?:types?|kinds|categor(?:y|ies)|classes)\b|\b(?:divided into|includ(?:e|es|ing))\b/i
const sorts =
  /\b(?:(?:sub)?types?|kinds|(?:sub)?categor(?:y|ies)|stages|phases|steps|components|forms|ways|divided into|consists? of|includ(?:e|es|ing)|such as)\b|\(1\)/i

const bearingOf = (unit: Read, need: Need, weights: Map<string, number>): Bearing => {
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  let own = 0
  let held = 0
  let plain = 0
  let told = 0
  for (const [word, weight] of weights) {
    if (unit.terms.has(word)) own += weight
    if (!need.names.includes(word)) plain += weight
    if (!need.names.includes(word) && (unit.terms.has(word) || unit.leaned.has(word))) told += weight
    held += weight * (unit.terms.has(word) ? 1 : unit.leaned.has(word) ? inLean : unit.around.has(word) ? inPassage : 0)
  }
  if (total === 0) return { ...unit, score: 0, own: 0 }
  const near = (name: string): boolean => unit.terms.has(name) || unit.leaned.has(name) || unit.topic.has(name)
  const naming = need.names.every(near)
    ? 1
    : need.names.every((name) => near(name) || unit.around.has(name))
      ? namedAfar
      : unnamed
  const dated = new Set(years(`${unit.text}\n${unit.lean}`))
  const otherYear = need.years.length > 0 && !need.years.some((year) => dated.has(year))
  const onlyNamed = plain > 0 && told / plain < 0.3
  const fit = satisfies(unit.text, need.want) || (need.want === 'list' && unit.kind === 'item') ? 1 : 0.6
  const announced = (need.words.some((word) => word.startsWith('sub')) ? subsorts : sorts).test(
    `${unit.kind === 'item' ? unit.lean : ''} ${unit.text}`,
  )
  const bonus = (need.want === 'meaning' && defines(unit, need)) || (need.want === 'list' && announced) ? 0.15 : 0
  return {
    ...unit,
    score: Math.min(1, held / total + bonus) * fit * naming * (onlyNamed ? 0.6 : 1) * (otherYear ? 0.5 : 1),
    own: own / total,
  }
}

/** A line that names where figures were taken from answers no question about them. */
const attribution = /^\W*(?:data )?sources?\s*:/i

/** Every unit of the passages by how much it bears on the question, the best first; equals keep their order. */
export const bearings = (question: string, sources: readonly TableSource[], hint = ''): Bearing[] => {
  const aliases = aliasesIn(sources.flatMap(({ title, headingPath, text }) => [title, ...headingPath, text]))
  const units = readAll(sources, aliases)
  const need = needOf(question)
  const weights = weightIn(need, units)
  for (const word of needOf(hint).words) weights.set(word, (weights.get(word) ?? 0) + 0.3)
  return units
    .filter(({ text }) => !attribution.test(text) || /\bsources?\b/i.test(question))
    .map((unit) => bearingOf(unit, need, weights))
    .sort((a, b) => b.score - a.score || b.own - a.own)
}
