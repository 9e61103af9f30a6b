import { fold, spans, stem } from '../text'
import type { Role } from './roles'
import { roles } from './roles'

/** A word of a text: an identifier's parts are words of their own. */
export type Word = { stem: string; raw: string; role: Role | undefined; start: number; end: number }

const wordsIn = (text: string): Word[] =>
  spans(text).flatMap(({ raw, token, start, end }) =>
    (raw.includes('_') ? token.split('_').filter((part) => part !== '') : [token]).map((part) => {
      const folded = fold(part)
      return { stem: stem(folded), raw: folded, role: roles.get(folded), start, end }
    }),
  )

/** The words that name something: all but the plain ones. */
export const namesIn = (text: string): Word[] =>
  wordsIn(text).filter(({ role }) => role !== 'plain' && role !== 'count')

export const isNumber = (word: string): boolean => !Number.isNaN(Number(word))

/** `85` is what a header calls 1985. */
const sameNumber = (asked: string, header: string): boolean =>
  asked === header || (header.length === 2 && asked.length === 4 && asked.endsWith(header))

/** A question by the words that must be accounted for, and where names stand in it. */
export type Asked = { text: string; words: Word[]; counts: boolean }

export const askedIn = (text: string): Asked => ({
  text,
  words: namesIn(text),
  counts: wordsIn(text).some(({ role }) => role === 'count'),
})

/** Where all these words stand side by side in the question, in any order; each place is a list of positions. */
export const placesOf = ({ words }: Asked, name: readonly string[]): number[][] => {
  if (name.length === 0) return []
  const once = [...new Set(name)]
  const wanted = once.sort().join(' ')
  return words.flatMap((_, from) => {
    const window = words.slice(from, from + once.length)
    const [first, last] = [window[0], window.at(-1)]
    // A part of an identifier names nothing by itself.
    if (words[from - 1]?.start === first?.start || words[from + once.length]?.start === last?.start) return []
    return window
      .map(({ stem: word }) => word)
      .sort()
      .join(' ') === wanted
      ? [window.map((_each, at) => from + at)]
      : []
  })
}

export const numbersOf = ({ words }: Asked, numbers: readonly string[]): number[] | null => {
  const found = numbers.map((number) => words.flatMap(({ raw }, at) => (sameNumber(raw, number) ? [at] : [])))
  return found.some((positions) => positions.length === 0) ? null : found.flat()
}
