import { describe, expect, it } from 'vitest'
import { terms } from './text'
import { bm25, queryTerms } from './bm25'

const score = (query: string, ...texts: string[]): number[] => bm25(queryTerms(query), texts.map(terms))

describe('bm25', () => {
  it('weighs rare words more than common ones', () => {
    const [rare, common] = score(
      'amber stone',
      'amber it is',
      'stone it is',
      'stone',
      'stone',
      'moss',
      'fern',
      'reed',
      'clay',
    ) as [number, number]
    expect(rare).toBeGreaterThan(common)
  })
  it('gives short texts and repeated words higher scores, and texts without the word 0', () => {
    const filler = ['x1', 'x2', 'x3', 'x4']
    const [short, long, twice, none] = score(
      'amber',
      'amber',
      `amber ${'moss '.repeat(50)}`,
      `amber amber ${'moss '.repeat(50)}`,
      'moss',
      ...filler,
    )
    expect(short).toBeGreaterThan(twice!)
    expect(twice).toBeGreaterThan(long!)
    expect(none).toBe(0)
  })
  it('returns no scores if there are no texts', () => expect(bm25(['amber'], [])).toEqual([]))
})

describe('the terms of a query', () => {
  it('are its content words, each once', () =>
    expect(queryTerms('What is the amber of the amber room?')).toEqual(terms('amber room')))
  it('are all its words if none of them carries content', () =>
    expect(queryTerms('Who is it?')).toEqual(terms('who is it')))
  it('are 64 at most', () =>
    expect(queryTerms(Array.from({ length: 500 }, (_, at) => `w${at}`).join(' '))).toHaveLength(64))
  it('include the question of a long query, wherever it is, and then the end', () => {
    const story = Array.from({ length: 45 }, (_, at) => `So w${at} met v${at}.`).join(' ')
    for (const query of [
      `Who sold the amber? ${story}`,
      `${story} Who sold the amber? ${story}`,
      `${story} Who sold the amber?`,
    ])
      expect(queryTerms(query)).toEqual(expect.arrayContaining(terms('sold amber w44 w0')))
    expect(queryTerms(`${story} Name the seller of the amber.`)).toEqual(
      expect.arrayContaining(terms('seller amber w0')),
    )
  })
  it('are empty for a query without words', () => expect(queryTerms('"*" — ()')).toEqual([]))
})
