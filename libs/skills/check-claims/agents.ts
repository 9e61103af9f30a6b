import { stopWords, tokens } from '@plumbline/knowledge/text'
import { verbForms } from '../wording/verbs'
import { evenly } from './evenly'

/** Who did what, where the small word `by` tells it: `directed by Anna Torres`. */
type Deed = { verb: string; by: string[]; all: string[] }

const meant = (words: string[]): string[] => words.filter((word) => !stopWords.has(word))

/** `the engineer Ruth Hallam` without what comes after it. */
const opening = (words: string[]): string[] => {
  const [first = ''] = words
  const start = /^(?:an?|the)$/.test(first) ? 1 : 0
  const end = words.findIndex((word, at) => at >= start && stopWords.has(word))
  return words.slice(start, end < 0 ? words.length : end)
}

const doneBy = (clause: string): Deed[] => {
  const raw = tokens(clause)
  const even = evenly(clause)
  return raw.flatMap((word, at) => {
    if (word !== 'by' || !verbForms(raw[at - 1] ?? '').has('participle')) return []
    const next = raw.indexOf('by', at + 1)
    const after = even.slice(at + 1, next < 0 ? even.length : next - 1)
    const by = opening(after)
    return by.length === 0 || /\d/.test(by.join('')) ? [] : [{ verb: even[at - 1] ?? '', by, all: meant(after) }]
  })
}

const shares = (some: string[], all: string[]): boolean => some.some((word) => all.includes(word))

/** `Anna Torres directed`: the words right before a verb. */
const actor = (said: string[], verb: string): string[] => {
  const before = said.slice(0, Math.max(0, said.indexOf(verb)))
  return before.slice(before.findLastIndex((word) => stopWords.has(word)) + 1)
}

/** Whether a claim has somebody else do what its passage tells of. */
export const isOtherAgent = (claim: string, clauses: string[]): boolean => {
  const said = evenly(claim)
  const own = doneBy(claim)
  const deeds = clauses.flatMap(doneBy)
  const even = clauses.map(evenly)
  const other = (verb: string): boolean => {
    const here = own.find((deed) => deed.verb === verb)?.by ?? actor(said, verb)
    const held = deeds.filter((deed) => deed.verb === verb)
    const active = even.filter((clause) => clause.some((word, at) => word === verb && clause[at + 1] !== 'by'))
    return here.length > 0 && held.length > 0 && active.length === 0 && !held.some(({ all }) => shares(here, all))
  }
  /** `Lindal was bought by Norvik`, where the passage has Lindal first. */
  const turned = ({ verb, by }: Deed): boolean => {
    const active = even.filter((clause) => clause.includes(verb))
    const after = active.filter((clause) => shares(by, clause.slice(clause.indexOf(verb))))
    return (
      after.length > 0 &&
      !active.some((clause) => clause.includes('by') || shares(by, clause.slice(0, clause.indexOf(verb))))
    )
  }
  return [...new Set(deeds.map(({ verb }) => verb))].some(other) || own.some(turned)
}
