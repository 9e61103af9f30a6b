import { expect, test } from 'vitest'
import { countShared, sharedMarks } from './shared-words'

const passage =
  'We offer 20 days every year. The bank can hold at most 27 days at any time. Nobody is paid for the rest.'
const marked = (claim: string, text = passage): string[] =>
  sharedMarks(claim, text).map(([from, to]) => text.slice(from, to))

test('the words that a claim shares with the closest sentence of a passage are marked, neighbours together', () => {
  expect(marked('The bank can hold at most 30 days.')).toEqual(['The bank can hold at most', 'days at'])
})
test('nothing is marked where no word is shared', () => {
  expect(marked('Managers grant exceptions')).toEqual([])
  expect(marked('', passage)).toEqual([])
})
test('words are found in writing without blanks between them', () => {
  expect(marked('休暇は繰り越せます', '給与は月末です。休暇は翌年に繰り越せます。').join('')).toContain('休暇')
})
test('a word counts once, however often it stands there', () => {
  expect(countShared('the days and the days', 'the days of the days')).toBe(2)
})
