import { expect, test } from 'vitest'
import { countShared, sharedMarks } from './shared-words'

const passage =
  'We offer 20 days every year. The bank can hold at most 27 days at any time. Nobody is paid for the rest.'
const marked = (claim: string, text = passage): string[] =>
  sharedMarks(claim, text).map(([from, to]) => text.slice(from, to))

test('the words that a claim shares with the closest sentence of a passage are marked, neighbours together', () => {
  expect(marked('The bank can hold at most 30 days.')).toEqual(['The bank can hold at most', 'days at'])
})
const moons = `The number of known moons at the end of each year.

| Planet | 2018 | 2023 |
| --- | ---: | ---: |
| Earth | 1 | 1 |
| Mars | 2 | 2 |
| Neptune | 14 | 14 |
`
test.each([
  ['Mars had 14 known moons in 2023.', 'Mars | 2 | 2'],
  ['Neptune has 13 moons.', 'Neptune | 14 | 14'],
  ['The number is of known moons.', 'The number of known moons,the,of'],
])('the row that decides a claim is marked as a whole, a sentence where that is closer: %s', (claim, row) => {
  expect(marked(claim, moons).join()).toBe(row)
})
test('a row without a header is marked too, and one whose cells share nothing is not', () => {
  expect(marked('Ann Marsh left in 1911.', '| Tom Reed | 1921 |\n| Ann Marsh | 1902 |')).toEqual(['Ann Marsh | 1902'])
  expect(marked('The keeper', '| Keeper | From |\n|---|---|\n| Tom Reed | 1902 |')).toEqual(['Keeper | From'])
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
