import { names, numbers, stopWords } from '@plumbline/knowledge/text'
import { verbatim } from './closeness'
import { evenly } from './evenly'

/** Runs of one to three words that begin and end with one that means something, by where they stand. */
type Run = { from: number; to: number; words: string[] }

const runsOf = (all: string[]): Run[] =>
  all.flatMap((_, from) =>
    [1, 2, 3].flatMap((length) => {
      const words = all.slice(from, from + length)
      const ends = [words[0] ?? '', words.at(-1) ?? '']
      return words.length < length || ends.some((word) => stopWords.has(word))
        ? []
        : [{ from, to: from + length, words }]
    }),
  )

const line = (words: string[]): string => ` ${words.join(' ')} `
const joins = /^(?:and|or)$/

/** `A bought B` where the passage says `B bought A`. The order of a list says nothing. */
export const exchangedIn = (claim: string, sentences: string[]): string | null => {
  const said = evenly(claim)
  const held = sentences.map((sentence) => line(evenly(sentence)))
  const there = (words: string[]): boolean => held.some((each) => each.includes(line(words)))
  const runs = runsOf(said).filter(({ words }) => there(words))
  for (const one of runs)
    for (const other of runs) {
      const gap = other.from - one.to
      if (gap < 1 || gap > 5 || joins.test(said[other.from - 1] ?? '')) continue
      const turned = [...other.words, ...said.slice(one.to, other.from), ...one.words]
      if (there(turned) && !there(said.slice(one.from, other.to))) return turned.join(' ')
    }
  return null
}

const reach = 3
const meaning = (words: string[]): number => words.filter((word) => !stopWords.has(word)).length

/** What stands in a clause between the words that stand around a run of the claim. */
const between = (left: string[], right: string[], clause: string[]): string[] => {
  const all = line(clause)
  const at = all.indexOf(line(left))
  if (at < 0 && left.length > 0) return []
  const rest = left.length > 0 ? all.slice(at + line(left).length - 1) : all
  const end = right.length > 0 ? rest.indexOf(line(right)) : rest.length
  const words =
    end < 0
      ? []
      : rest
          .slice(0, end)
          .trim()
          .split(' ')
          .filter((word) => word !== '')
  return left.length === 0 ? words.slice(-reach) : right.length === 0 ? words.slice(0, reach) : words
}

const pointing = /^(?:the|this|that|these|those|its|his|her|their|it|he|she|they|who|which|there)$/

/** Where a clause has other words between the same neighbours: `born in Paris in 1867` for `born in Warsaw in 1867`. */
export const displacedIn = (claim: string, clauses: string[], topic: string): string | null => {
  const said = evenly(claim)
  const known = new Set(evenly(topic))
  const all = clauses.map((clause) => line(evenly(clause)))
  for (const clause of clauses.map(evenly)) {
    const here = new Set(clause)
    for (const { from, to, words } of runsOf(said)) {
      if (words.some((word) => here.has(word) || known.has(word))) continue
      const [left, right] = [said.slice(Math.max(0, from - reach), from), said.slice(to, to + reach)]
      const around = [...left, ...right]
      if (all.some((each) => each.includes(line([...left, ...words, ...right])))) continue
      if (around.length < reach || meaning(around) < (left.length > 0 && right.length > 0 ? 2 : 1)) continue
      const other = between(left, right, clause)
      if (meaning(other) === 0 || other.length > reach || (from === 0 && pointing.test(other[0] ?? ''))) continue
      return other.join(' ')
    }
  }
  return null
}

const nearCopy = 0.7
const aside = 5

const placesOf = (run: string[], all: string[]): number[] =>
  all.flatMap((_, at) => (run.every((word, offset) => all[at + offset] === word) ? [at] : []))

/** Whether what stands on one side of a run of the claim stands there in the source, right by it or but for a few words left out. */
const isBeside = (said: string[], there: string[]): boolean => {
  const [next] = said
  const telling = said.slice(0, reach).find((word) => !stopWords.has(word))
  return next === there[0] || (telling !== undefined && there.slice(0, aside).includes(telling))
}

/** In a sentence that all but repeats its passage, a name or a figure between other neighbours than there has changed its place. */
export const movedIn = (claim: string, source: string, topic: string): string | null => {
  if (verbatim(claim, source) < nearCopy) return null
  const [said, held] = [evenly(claim), evenly(source)]
  const known = new Set(evenly(topic))
  const before = (all: string[], at: number): string[] => all.slice(0, at).reverse()
  const isMoved = (run: string[]): boolean => {
    const [at = 0] = placesOf(run, said)
    if (at === 0 || placesOf(run, held).length === 0 || run.some((word) => known.has(word))) return false
    const end = at + run.length
    return placesOf(run, held).every(
      (there) =>
        !isBeside(before(said, at), before(held, there)) &&
        (end === said.length || !isBeside(said.slice(end), held.slice(there + run.length))),
    )
  }
  const figures = numbers(claim)
    .filter(({ raw }) => /\d/.test(raw))
    .map(({ raw }) => raw)
  return [...names(claim), ...figures].find((run) => isMoved(evenly(run))) ?? null
}
