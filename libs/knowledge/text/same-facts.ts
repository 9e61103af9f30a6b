import { names } from './names'
import { numbers, years } from './numbers'
import { fold, tokens } from './words'

const denying = new Set([
  'no',
  'not',
  'never',
  'none',
  'nor',
  'neither',
  'without',
  'except',
  'excluding',
  'cannot',
  't',
  'unless',
  'nobody',
  'nothing',
])

/** What tells two texts of much the same words apart: their figures, years, names and denials, in order. */
export const factsOf = (text: string): string =>
  JSON.stringify([
    numbers(text).map(({ value, unit }) => `${value} ${unit}`),
    years(text),
    names(text).map(fold),
    tokens(text).filter((token) => denying.has(token)),
  ])

export const sameFacts = (a: string, b: string): boolean => factsOf(a) === factsOf(b)
