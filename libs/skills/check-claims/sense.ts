import { coverage, fold, numbers, sentences, stopWords, words, years } from '@plumbline/knowledge/text'
import { evenly } from './evenly'
import { clausesOf, sidesOf } from './clauses'
import { isCause } from './kinds'
import type { Finding } from './verdict'
import { contradicted, unsupported } from './verdict'

type Told = { claim: string; clauses: string[]; topic: string; passageId: string }

const opposites: [RegExp, RegExp][] = [
  [
    /\bincreas|\brose\b|\bris(?:e|es|ing)\b|\bgrew\b|\bhigher\b/i,
    /\bdecreas|\bfell\b|\bfall(?:s|ing)?\b|\bdropp|\bdeclin|\blower\b/i,
  ],
  [/\bbefore\b/i, /\bafter\b/i],
  [/\b(?:until|till)\b/i, /\b(?:since|after)\b/i],
  [/\bfirst\b/i, /\blast\b/i],
  [/\balways\b/i, /\bnever\b/i],
  [/\bminimum\b|\bat least\b/i, /\bmaximum\b|\bat most\b/i],
  [/\bhighest\b|\blargest\b|\bmost\b/i, /\blowest\b|\bsmallest\b|\bleast\b/i],
  [/\bmore\b/i, /\b(?:less|fewer)\b/i],
  [/\baccept/i, /\breject|\brefus/i],
  [/\bwithout\b/i, /\bwith\b/i],
]

export const opposed = (claim: string, source: string): boolean =>
  opposites.some(
    ([one, other]) =>
      (one.test(claim) && !other.test(claim) && other.test(source) && !one.test(source)) ||
      (other.test(claim) && !one.test(claim) && one.test(source) && !other.test(source)),
  )

const holds = (some: string[], all: string[]): boolean => some.length > 0 && coverage(some, all) >= 0.75

/** What a claim denies is denied somewhere, and what it says is not denied where nothing else says it. */
const denial = ({ claim, clauses, passageId }: Told): Finding | null => {
  const sides = clauses.map(sidesOf)
  for (const { said, denied } of clausesOf(claim).map(sidesOf)) {
    const whole = [...said, ...denied]
    if (
      denied.length > 0 &&
      sides.some((side) => holds(denied, side.said)) &&
      !sides.some((side) => coverage(side.denied, whole) >= 0.5)
    )
      return contradicted('The claim denies what the passage says.', passageId)
    const other = denied.length > 0 ? undefined : sides.find((side) => holds(side.denied, said))
    const shared = said.filter((word) => other?.denied.includes(word))
    if (other && !sides.some((side) => coverage(shared, side.said) === 1))
      return contradicted('The passage denies what the claim says.', passageId)
  }
  return null
}

/** A claim that one clause has word for word, but for its denial. */
export const isDenied = (claim: string, passages: { text: string }[]): boolean => {
  const whole = clausesOf(claim)
    .map(sidesOf)
    .filter(({ denied }) => denied.length > 0)
    .flatMap(({ said, denied }) => [...said, ...denied])
  const clauses = whole.length > 2 ? passages.flatMap(({ text }) => sentences(text).flatMap(clausesOf)) : []
  return clauses.some((clause) => coverage(whole, sidesOf(clause).said) >= 0.9)
}

const hedge =
  /\b(?:may|might|could|possibly|perhaps|probably|likely|suggest(?:s|ed)?|believ(?:e|es|ed)|expect(?:s|ed)?|assum(?:e|es|ed)|speculat(?:e|es|ed)|alleged(?:ly)?|reportedly|rumou?red|supposed(?:ly)?|appears?|seems?)\b/i
const hedged = (text: string): boolean => hedge.test(text) || /\b(?:can|thought|said|up to|according to)\b/i.test(text)

/** The words after the last hedge: what it makes uncertain. */
const uncertain = (clause: string): string[] => words(clause.split(hedge).at(-1) ?? '').slice(0, 3)

/** What the passage holds possible only is no fact. */
const certainty = (told: Told): Finding | null => {
  const [claim = '', ...clauses] = [told.claim, ...told.clauses].map((text) => text.replace(/\bMay\b/g, ' '))
  const said = words(claim)
  if (hedged(claim) || said.length < 2) return null
  const about = clauses.filter((clause) => hedge.test(clause) && coverage(uncertain(clause), said) === 1)
  const sure = clauses.some((clause) => !hedge.test(clause) && coverage(said, words(clause)) >= 0.75)
  return about.length > 0 && !sure ? unsupported('The passage does not say it for certain.') : null
}

const universal = /\b(?:all|every|each|always)\b(?:\s+of)?(?:\s+the)?/gi
const partial =
  /\b(?:some|most|many|several|few|half|often|sometimes|usually|mostly|nearly|almost|certain|one|majority)\b(?:\s+of)?(?:\s+(?:the|them))?/gi

/** The words that a pattern is followed by, one for each time. */
const after = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), (match) => words(text.slice(match.index + match[0].length))[0] ?? '').filter(
    (word) => word !== '',
  )

const quantity = ({ claim, clauses, passageId }: Told): Finding | null => {
  const all = after(claim, universal)
  const some = clauses.flatMap((clause) => after(clause, partial))
  const every = clauses.flatMap((clause) => after(clause, universal))
  return all.some((word) => some.includes(word) && !every.includes(word))
    ? contradicted('The passage does not say it of all.', passageId)
    : null
}

const ranked =
  /\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)|one of the)[\s-]+(most\s+\w+|\w{3,}est)\b/gi

/** The second largest is not the largest. */
const rank = ({ claim, clauses, passageId }: Told): Finding | null => {
  const source = clauses.join('\n')
  const lower = Array.from(source.matchAll(ranked), (match) => (match[1] ?? '').toLowerCase())
  const own = Array.from(claim.matchAll(ranked), (match) => (match[1] ?? '').toLowerCase())
  const times = (text: string, word: string): number => text.toLowerCase().split(word).length - 1
  const taken = lower.find(
    (word) =>
      times(claim, word) > own.filter((each) => each === word).length &&
      times(source, word) === lower.filter((each) => each === word).length,
  )
  return taken === undefined ? null : contradicted(`The passage does not say that it is the ${taken}.`, passageId)
}

const bringsAbout =
  /\b(?:because|since|as|so|thus|hence|therefore|why|reason|due|owing|thanks|mak(?:e|es|ing)|made|attribut\w*|explain\w*|responsible|by|from|through|allow\w*|enabl\w*|led|leads?|caus\w*|results?|resulted)\b/i

/** That one thing came after another does not say that it came of it. */
const cause = ({ claim, clauses }: Told): Finding | null =>
  isCause(claim) && !clauses.some((clause) => bringsAbout.test(clause))
    ? unsupported('The passage does not say that one brought about the other.')
    : null

/** Counts of one thing: what the figure stands before. */
const counted = (text: string): { value: number; of: string; raw: string }[] =>
  numbers(text).flatMap(({ value, unit, raw }) => {
    const next = /^[\s-]*([\p{L}\p{N}]+)/u.exec(text.slice(text.indexOf(raw) + raw.length))?.[1] ?? ''
    const [of] = evenly(next)
    return of === undefined || stopWords.has(fold(next)) || unit === 'th' ? [] : [{ value, of, raw }]
  })

/** A figure that stands before one word must stand before it in the passage, where figures stand before it at all. */
const figure = ({ claim, clauses, passageId }: Told): Finding | null => {
  const held = clauses.flatMap(counted)
  for (const { value, of, raw } of counted(claim)) {
    const there = held.filter((other) => other.of === of)
    const [other] = there
    if (other && !there.some((each) => each.value === value))
      return contradicted(`The passage says ${other.raw} where the claim says ${raw}.`, passageId)
  }
  return null
}

/** The year of a clause is no year of another: what a claim dates stands in a clause of its own. */
const date = ({ claim, clauses, topic, passageId }: Told): Finding | null => {
  const [year, ...more] = years(claim)
  if (year === undefined || more.length > 0) return null
  const known = new Set([year, ...words(topic)])
  const dated = words(claim).filter((word) => !known.has(word))
  const shares = clauses.map((clause) => coverage(dated, words(clause)))
  const best = Math.max(...shares)
  const told = clauses.filter((_, at) => shares[at] === best).map(years)
  const [other] = told[0] ?? []
  return best >= 0.75 && other !== undefined && told.every((each) => each.length > 0 && !each.includes(year))
    ? contradicted(`The passage says ${other} where the claim says ${year}.`, passageId)
    : null
}

/** Whether a claim turns what clauses of its passage say into something else with their own words. */
export const turned = (told: Told): Finding | null =>
  denial(told) ?? rank(told) ?? quantity(told) ?? certainty(told) ?? cause(told) ?? figure(told) ?? date(told)
