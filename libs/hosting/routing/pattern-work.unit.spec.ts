import { describe, expect, it } from 'vitest'
import { workOf } from './pattern-work'

describe('the work of a pattern', () => {
  it.each([
    ['holiday', 7],
    ['\\p{L}[)(|\\]*]\\u{1F600}x', 4],
    ['a|bc', 4],
    ['(?:ab)?c', 5],
    ['INC-\\d{4,8}', 12],
    ['a{3}b', 4],
    ['(?<year>\\d{4})-', 6],
    ['.*x', 8_001],
  ])('is counted: %s', (pattern, steps) => {
    expect(() => new RegExp(pattern, 'iu')).not.toThrow()
    expect(workOf(pattern)).toBe(steps)
  })

  it.each([
    '(a+)+$',
    '(a|a)*b',
    '(?:a?){30}b',
    '(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)(?:a|a)b',
    'a*a*b',
    '.*.*x',
    '.{0,400}.{0,400}x',
    '.*a{1000}',
    '(a)\\1',
    '(?<a>a)\\k<a>',
    '(?:(?:a*)*){0}b',
    '(?=(a*)*)b',
  ])('is too much: %s', (pattern) => {
    expect(() => new RegExp(pattern, 'iu')).not.toThrow()
    expect(workOf(pattern)).toBeGreaterThan(20_000)
  })
})
