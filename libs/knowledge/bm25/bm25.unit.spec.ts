import { describe, expect, it } from 'vitest'
import { bm25, indexWords, queryWords } from './index'

const score = (query: string, ...texts: string[]): number[] => bm25(queryWords(query), texts.map(indexWords))

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

describe('what a text is found by', () => {
  it('holds every word, also the parts of identifiers', () =>
    expect(indexWords('The USER_NAME of 1.21')).toEqual(['the', 'user_name', 'user', 'nam', 'of', '1.21']))
  it('holds pairs of signs in scripts without spaces', () => expect(indexWords('東京都')).toEqual(['東京', '京都']))
})

describe('what a query looks for', () => {
  it('is its content words, each once', () =>
    expect(queryWords('What is the amber of the amber room?')).toEqual(['amber', 'room']))
  it('is all its words where it has nothing else', () => expect(queryWords('Who is it?')).toEqual(['who', 'is', 'it']))
  it('ends somewhere', () =>
    expect(queryWords(Array.from({ length: 500 }, (_, at) => `w${at}`).join(' '))).toHaveLength(64))
  it('is of a long story what it asks, wherever that stands, and then how it ends', () => {
    const story = Array.from({ length: 45 }, (_, at) => `So w${at} met v${at}.`).join(' ')
    for (const query of [
      `Who sold the amber? ${story}`,
      `${story} Who sold the amber? ${story}`,
      `${story} Who sold the amber?`,
    ])
      expect(queryWords(query)).toEqual(expect.arrayContaining(['sold', 'amber', 'w44', 'w0']))
    expect(queryWords(`${story} Name the seller of the amber.`)).toEqual(
      expect.arrayContaining(['seller', 'amber', 'w0']),
    )
  })
  it('is nothing without words', () => expect(queryWords('"*" — ()')).toEqual([]))
})
