import { describe, expect, it } from 'vitest'
import { terms } from './text'
import { bm25, queryTerms } from './bm25'

const score = (query: string, ...texts: string[]): number[] => bm25(queryTerms(query), texts.map(terms))

describe('bm25', () => {
  it('counts rare words more than common ones', () => {
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
  it('counts short texts and repeated words more, and nothing for words that are not there', () => {
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
  it('is nothing over nothing', () => expect(bm25(['amber'], [])).toEqual([]))
})

describe('what a query looks for', () => {
  it('is its content words, each once', () =>
    expect(queryTerms('What is the amber of the amber room?')).toEqual(terms('amber room')))
  it('is all its words where it has nothing else', () => expect(queryTerms('Who is it?')).toEqual(terms('who is it')))
  it('ends somewhere', () =>
    expect(queryTerms(Array.from({ length: 500 }, (_, at) => `w${at}`).join(' '))).toHaveLength(64))
  it('is of a long story what it asks, wherever that stands, and then how it ends', () => {
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
  it('is nothing without words', () => expect(queryTerms('"*" — ()')).toEqual([]))
})
