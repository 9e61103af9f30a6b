import { expect, it } from 'vitest'
import { wordsAt } from './placed.fixture'
import { segmentOf } from './segments'

const raised = (text: string, x: number) => wordsAt(text, x, 98, { size: 7, bottom: 105, glued: true })
const behind = (text: string, mark: string): string =>
  segmentOf([...wordsAt(text, 0, 100), ...raised(mark, text.length * 5), ...wordsAt('kg', 60, 100)]).text

it('keeps a raised number apart from what it stands behind', () => {
  expect(behind('10', '24')).toBe('10^24 kg')
  expect(behind('1,234', '1')).toBe('1,234^1 kg')
  expect(behind('1', 'st')).toBe('1st kg')
  expect(
    segmentOf([...wordsAt('H', 0, 100), ...wordsAt('2', 5, 104, { size: 7, bottom: 111, glued: true })]).text,
  ).toBe('H2')
})
