import { describe, expect, it } from 'vitest'
import { uuidOf } from './payload'
import { sparsePassage, sparseQuery } from './sparse'

const passage = (text: string, more: { title?: string; headingPath?: string[] } = {}) => ({
  id: 'p',
  documentId: 'd',
  collection: 'c',
  title: '',
  headingPath: [],
  position: 0,
  text,
  ...more,
})
const share = (query: string, ...given: Parameters<typeof passage>): number => {
  const [asked, held] = [sparseQuery(query), sparsePassage(passage(...given))]
  return (asked?.indices ?? []).reduce(
    (sum, index, at) => sum + (asked?.values[at] ?? 0) * (held.values[held.indices.indexOf(index)] ?? 0),
    0,
  )
}

describe('a passage as a sparse vector', () => {
  it('counts a repeated word more, with diminishing weight', () => {
    const [once, twice, thrice] = [
      share('amber', 'amber'),
      share('amber', 'amber amber'),
      share('amber', 'amber amber amber'),
    ]
    expect(twice).toBeGreaterThan(once)
    expect(thrice - twice).toBeLessThan(twice - once)
    expect(share('amber', 'amber '.repeat(1_000))).toBeLessThan(2.2)
  })
  it('counts a word less in a long text, and reads title and headings', () => {
    expect(share('amber', `amber ${'moss '.repeat(500)}`)).toBeLessThan(share('amber', 'amber moss'))
    expect(share('amber', '', { title: 'Amber' })).toBeGreaterThan(0)
    expect(share('amber', '', { headingPath: ['Stones', 'Of amber'] })).toBeGreaterThan(0)
    expect(share('amber', 'moss')).toBe(0)
  })
  it('has every index once, each a u32, the same for the same word', () => {
    const { indices, values } = sparsePassage(passage(Array.from({ length: 5_000 }, (_, at) => `w${at}`).join(' ')))
    expect(new Set(indices).size).toBe(indices.length)
    expect(values).toHaveLength(indices.length)
    expect(indices.every((index) => Number.isInteger(index) && index >= 0 && index < 2 ** 32)).toBe(true)
    expect(sparseQuery('AMBER')?.indices).toEqual(sparseQuery('amber')?.indices)
  })
  it('is null if the text has no words', () => expect(sparseQuery('"*" — ()')).toBeNull())
})

describe('an id', () => {
  it('is a UUID that is the same for the same parts, and different if the parts are split differently', () => {
    expect(uuidOf('a', 'b')).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    expect(uuidOf('a', 'b')).toBe(uuidOf('a', 'b'))
    expect(new Set([uuidOf('a', 'b'), uuidOf('ab'), uuidOf('a', 'b', ''), uuidOf('a","b')]).size).toBe(4)
  })
})
