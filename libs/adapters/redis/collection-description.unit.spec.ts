import { expect, test } from 'vitest'
import { describe, isCut } from './collection-description'

test('titles come before headings, and each is said once', () => {
  expect(
    describe([
      ['Mars', 'Mass', 'Orbit'],
      ['Venus', ' mass ', 'Clouds', ''],
    ]),
  ).toBe('Mars; Venus; Mass; Orbit; Clouds')
})

test('nothing is said of nothing', () => {
  expect(describe([])).toBe('')
  expect(describe([[], ['']])).toBe('')
})

test('a large collection is described in a bounded text that names its documents first', () => {
  const many = Array.from({ length: 60 }, (_, i) => [
    `Document ${i}`,
    ...Array.from({ length: 40 }, (_, j) => `A heading ${i}.${j} of some length`),
  ])
  const text = describe(many)
  expect(text.length).toBeLessThanOrEqual(1_200)
  for (let i = 0; i < 60; i += 1) expect(text).toContain(`Document ${i}`)
  expect(isCut(many)).toBe(true)
  expect(isCut(many.slice(0, 1).map((titles) => [...titles.slice(0, 9), ...titles.slice(0, 9)]))).toBe(false)
})
