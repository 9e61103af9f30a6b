import { expect, it } from 'vitest'
import { ranges } from './ranges'

it('names pages in ranges', () => {
  expect(ranges([2])).toBe('page 2')
  expect(ranges([3, 4, 5, 6, 7])).toBe('pages 3–7')
  expect(ranges([1, 3, 4, 9])).toBe('pages 1, 3–4 and 9')
})
