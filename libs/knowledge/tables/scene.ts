import type { Quantity, Span } from '../text'
import { spans, stem, unitNamed } from '../text'
import type { AskedKey, AskedLabel, AskedWord } from './asked'
import type { Vocabulary } from './vocabulary'
import { labelToken } from './vocabulary'
import { determiners, genericStems, isSmall, prepositions, reporting } from './word-lists'

/** `question`: numbers belong to what is asked. `claim`: numbers are what is said of it. */
export type Mode = 'question' | 'claim'
export type Place = { from: number; to: number }
export type Mark = Place &
  (
    | { kind: 'label'; label: AskedLabel }
    | { kind: 'key'; key: AskedKey }
    | { kind: 'metric'; word: AskedWord }
    | { kind: 'year'; year: string }
    | { kind: 'value'; quantity: Quantity }
  )

/** A sentence being read: its tokens, which of them are taken, and where rows are named. */
export type Scene = {
  text: string
  all: Span[]
  vocabulary: Vocabulary
  mode: Mode
  capitals: boolean
  taken: Set<number>
  rows: Place[]
}

export const sceneOf = (text: string, vocabulary: Vocabulary, mode: Mode): Scene => {
  const all = spans(text)
  const capital = all.filter(({ raw }) => /^\p{Lu}/u.test(raw)).length
  return { text, all, vocabulary, mode, capitals: capital <= Math.max(3, 0.6 * all.length), taken: new Set(), rows: [] }
}

export const gap = ({ text, all }: Scene, at: number): string =>
  text.slice(all[at - 1]?.end ?? 0, all[at]?.start ?? text.length)
export const ordinalOrNumber = (token: string): boolean =>
  /^\d/.test(token) || /^(?:1st|2nd|3rd|[4-9]th)$/.test(labelToken(token))
export const isYear = (token: string): boolean => /^(?:1[5-9]|20|21)\d\d$/.test(token)

/** The name that starts or goes on here is followed by a verb of reporting. */
const reports = ({ all }: Scene, at: number): boolean => {
  const after = all.slice(at + 1).find(({ raw }) => !/^\p{Lu}/u.test(raw))
  return after !== undefined && reporting.test(after.token)
}

export const named = (scene: Scene, at: number): boolean => {
  const span = scene.all[at]
  if (!span || !scene.capitals || scene.taken.has(at) || isSmall(span.token)) return false
  if (!/^\p{Lu}/u.test(span.raw) || genericStems.has(stem(span.token))) return false
  if (scene.vocabulary.context.has(stem(span.token)) && !reports(scene, at)) return false
  return at > 0 || !determiners.has(scene.all[at + 1]?.token ?? '')
}

export const rawOf = ({ text, all }: Scene, { from, to }: Place): string => {
  const raw = text.slice(all[from]?.start ?? 0, all[to - 1]?.end ?? 0)
  return text[all[to - 1]?.end ?? 0] === ')' && raw.includes('(') ? `${raw})` : raw
}

export const take = (scene: Scene, { from, to }: Place): void => {
  for (let at = from; at < to; at += 1) scene.taken.add(at)
}

export const inSlot = ({ all }: Scene, at: number): boolean => {
  const before = all[at - 1]?.token ?? ''
  return prepositions.has(before) || (before === 'the' && prepositions.has(all[at - 2]?.token ?? ''))
}

/** `in seconds` where the tables give seconds, however they write it. */
export const givesUnit = ({ vocabulary }: Scene, token: string): boolean => {
  const unit = unitNamed(token)
  return unit !== null && [...vocabulary.context].some((word) => unitNamed(word) === unit)
}

export const isAcronym = (raw: string): boolean => /^\p{Lu}{2,6}s?$/u.test(raw) || /_/.test(raw)
