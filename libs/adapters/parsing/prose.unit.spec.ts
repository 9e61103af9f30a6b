import { expect, it } from 'vitest'
import { blocks } from './prose'

it('blocks stand one under another, without those that are empty, however many there are', () => {
  expect(blocks('a', undefined, '', ['b', 'c'])).toBe('a\n\nb\n\nc')
  expect(
    blocks(
      'a',
      Array.from({ length: 200_000 }, () => 'b'),
    ).length,
  ).toBe(1 + 3 * 200_000)
})
