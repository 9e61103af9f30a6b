import type { TableSource } from '@plumbline/knowledge/tables'
import { coverage, names, numbers, overlapOf, subjectWords, words } from '@plumbline/knowledge/text'
import { isCause } from '../check-claims/kinds'
import type { Bearing } from '../reading/bearing'
import { barFor, bearings } from '../reading/bearing'
import type { Need } from '../reading/need'
import { needOf, satisfies } from '../reading/need'
import { verbForms } from '../wording/verbs'
import type { Statement } from './statement'

const nearBest = 0.85
/** From here on the head of a list speaks for its items. */
const leaning = 0.7

export const statementOf = ({ text, passageId }: { text: string; passageId: string }): Statement => ({
  text,
  passageIds: [passageId],
})

/** A list is answered with all of its items. */
const listOf = (best: Bearing, all: Bearing[]): Bearing[] =>
  all.filter((unit) => unit.passageId === best.passageId && unit.group === best.group && unit.kind === best.kind)

/** The first that say something else than all before them. */
const fresh = (units: Bearing[], most: number): Bearing[] => {
  const found: Bearing[] = []
  const seen: Set<string>[] = []
  for (const unit of units) {
    if (found.length === most) break
    const own = new Set(words(unit.text))
    if (seen.every((earlier) => overlapOf(earlier, own) < 0.8)) found.push(unit)
    seen.push(own)
  }
  return found
}

/** `What is the salary of …`, `Who discovered …`: the word that says what is to be told. */
const wantedIn = (question: string): string | undefined => {
  const noun = /^(?:what|which)\s+(?:is|are|was|were)\s+the\s+(?:[\p{L}-]+\s+){0,3}?([\p{L}-]+)\s+(?:of|for)\s/iu.exec(
    question,
  )?.[1]
  const verb = /^who\s+(?:has\s+|have\s+|had\s+)?(\p{Ll}+)\s/iu.exec(question)?.[1] ?? ''
  return subjectWords(noun ?? (verbForms(verb).size > 0 ? verb : '')).at(-1)
}

/** A figure, a date or a time is asked for: nothing without one answers, and what the question says itself is none. */
const gives = (text: string, question: string, { want }: Need): boolean => {
  if (want !== 'count' && want !== 'frequency' && want !== 'when') return true
  const known =
    want === 'count'
      ? numbers(question)
          .map(({ raw }) => raw)
          .filter((raw) => /\d/.test(raw))
      : []
  return satisfies(
    known.reduce((left, raw) => left.replaceAll(raw, ' '), text),
    want,
  )
}

/** A reason is told of the thing and of what it does, both, or said to be one; a row gives none. What names the thing itself leans on nothing. */
const reasons = ({ kind, lean, text }: Bearing, { want, names: called, words: asked }: Need): boolean => {
  const own = words(text)
  const said = called.some((name) => own.includes(name)) ? own : [...own, ...words(lean)]
  return (
    want !== 'why' ||
    (kind !== 'row' && (coverage(asked, said) >= 0.7 || (isCause(text) && coverage(asked, own) >= 0.5)))
  )
}

/** Where no cell of a row told it, the rest of the row tells of other deeds. */
const byWhom = /\bby whom\b/i

/** Where nobody is said to do what is asked for, at least somebody must be named who is not in the question; a month is nobody. */
const namesAnother = (text: string, question: string): boolean =>
  names(text).some((name) => !satisfies(name, 'when') && coverage(words(name), words(question)) < 1)

/** Where a word of the question stands nowhere, a sentence must hold this much of the others: little more than a name says little. */
const leastHeld = 0.4

/**
 * What can be the answer at all. Where the passages use the word for what is asked, what lacks it tells something else; a row speaks of
 * what stands in it alone, and one word does not say which row; a sentence that only repeats the question tells nothing.
 */
const answering = (question: string, all: Bearing[]): Bearing[] => {
  const need = needOf(question)
  const asked = new Set(words(question))
  const wanted = wantedIn(question)
  const tells = ({ lean, text }: Bearing): boolean => wanted === undefined || words(`${lean}\n${text}`).includes(wanted)
  const used = all.some(tells)
  const known = new Set(all.flatMap(({ lean, text }) => words(`${lean}\n${text}`)))
  const least = need.words.every((word) => known.has(word)) ? 0 : leastHeld
  const alone = ({ text }: Bearing): boolean =>
    need.names.length + need.words.length > 1 &&
    need.names.every((name) => words(text).includes(name)) &&
    need.years.every((year) => text.includes(year))
  const isNews = ({ text }: Bearing): boolean => need.want === 'yes-no' || words(text).some((word) => !asked.has(word))
  return all
    .filter((unit) =>
      unit.kind === 'row' ? alone(unit) && !byWhom.test(question) : unit.kind === 'item' || isNews(unit),
    )
    .filter(
      (unit) =>
        (unit.own === 0 || unit.own >= least) &&
        (!used || tells(unit)) &&
        gives(unit.text, question, need) &&
        reasons(unit, need),
    )
    .filter(({ text }) => need.want !== 'who' || wanted === undefined || used || namesAnother(text, question))
}

/** The sentences that answer; none when nothing in the passages bears on the question. */
export const fromProse = (
  question: string,
  sources: readonly TableSource[],
  hint: string,
  most: number,
): Statement[] => {
  const all = answering(question, bearings(question, sources, hint))
  const bar = barFor(question)
  // What only leans on the sentence that is asked for stands behind that sentence.
  const whole = all.some(({ own, score }) => own >= 0.9 && score >= bar)
  const [best] = whole ? all.filter(({ own }) => own > 0) : all
  if (!best || best.score < bar || (best.own === 0 && best.score < leaning)) return []
  const { want, count, names: called } = needOf(question)
  if ((want === 'list' || want === 'why') && best.kind !== 'sentence') {
    const items = listOf(best, all)
    if (items.length > 1 && items.length <= Math.max(most, count ?? 0)) return items.map(statementOf)
  }
  const named = ({ text }: Bearing): boolean => called.every((name) => words(text).includes(name))
  const close = all.filter(
    (unit) =>
      unit.score >= Math.max(bar, best.score * nearBest) && unit.own >= 0.6 * best.own && (named(unit) || !named(best)),
  )
  return fresh(close, Math.min(most, want === 'fact' || want === 'list' || want === 'why' ? 3 : 2)).map(statementOf)
}

/** `Compare A with B`: the two sides, each to be told of: `the short and the long form` are two forms. */
export const sidesOf = (request: string): string[] => {
  const match =
    /(?:\bcompare\s+|\bdifferences?\s+between\s+|\bdistinguish\s+)(.+?)\s+(?:and|with|to|from|versus|vs\.?)\s+(.+?)[.?!]*$/i.exec(
      request,
    )
  if (!match) return []
  const [left = '', right = ''] = [match[1], match[2]]
  const noun = right.split(/\s+/).slice(1).at(-1)
  const lacks = /^(?:the\s+)?\p{Ll}\S*$/u.test(left) && noun !== undefined
  return [lacks ? `${left} ${noun}` : left, right]
}
