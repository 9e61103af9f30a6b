import { embedderContract } from '@plumbline/ports/embedder/embedder.contract'
import { rerankerContract } from '@plumbline/ports/reranker/reranker.contract'
import { describe, expect, it } from 'vitest'
import { lexicalEmbedder, lexicalReranker } from './index'

embedderContract('lexical', () => lexicalEmbedder)
rerankerContract('lexical', () => lexicalReranker)

const never = new AbortController().signal
const order = async (query: string, ...documents: string[]): Promise<number[]> =>
  (await lexicalReranker.rerank(query, documents, documents.length, never)).map(({ index }) => index)

describe('lexical embedder', () => {
  it('says by its name that it is lexical', () => expect(lexicalEmbedder.name).toMatch(/^lexical-/))
  it('brings forms and misspellings of a word near', async () => {
    const [word, misspelt, other] = await lexicalEmbedder.embed(['photosynthesis', 'photosyntesis', 'granite'], never)
    const likeness = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, at) => sum + value * b[at]!, 0)
    expect(likeness(word!, misspelt!)).toBeGreaterThan(likeness(word!, other!) + 0.2)
  })
})

describe('lexical reranker', () => {
  it('says by its name that it is lexical', () => expect(lexicalReranker.name).toMatch(/^lexical-/))

  it('counts a rare word more than one that every document holds', async () =>
    expect(await order('mica in stone', 'A\nstone stone stone', 'B\nstone with mica', 'C\nstone')).toEqual([
      1,
      expect.any(Number),
      expect.any(Number),
    ]))

  it('prefers after the best one what holds the words that are still open', async () =>
    expect(
      (
        await order(
          'amber and basalt prices',
          'A\namber prices and more amber prices',
          'B\namber prices',
          'C\nbasalt is dark',
        )
      )[1],
    ).toBe(2))

  it('lets a passage of the same document go on where the best one stops, unless it says the same', async () => {
    const best = 'Why amber prices rise: few stones are washed ashore.'
    const second = async (title: string, text: string): Promise<number> =>
      (
        await lexicalReranker.rerank('Why did amber prices rise?', [`Trade\n${best}`, `${title}\n${text}`], 2, never)
      )[1]!.score
    const goesOn = 'Amber prices also follow fashion, and collectors in the east bid for whatever is found.'
    expect(await second('Trade', goesOn)).toBeGreaterThan(1.9 * (await second('Markets', goesOn)))
    const edition = best.replace('few', 'fewer')
    expect(await second('Trade', edition)).toBeLessThan(1.3 * (await second('Markets', edition)))
  })

  it('follows a name from the best document to the one it names', async () =>
    expect(
      (
        await order(
          'Who directed the film by Oceanic?',
          'Oceanic\nThe film by Oceanic was directed by Greta Lindqvist',
          'Olga Bergman\nA person from Norway',
          'Greta Lindqvist\nA person from Norway',
        )
      )[1],
    ).toBe(2))

  it('finds the row of a table, with the caption and the header that belong to it', async () => {
    const table = (caption: string, rows: string): string =>
      `Doc · ${caption}\n${caption}\n\n| Region | 2022 | 2023 |\n|---|---|---|\n${rows}`
    const [best] = await order(
      'What was the rainfall in Bergen in 2023?',
      'Doc\nRainfall is measured in 2023 as in every year, in Oslo and elsewhere.',
      table('Rainfall', '| Oslo | 1 | 2 |\n| Bergen | 3 | 4 |'),
      table('Sunshine', '| Bergen | 5 | 6 |'),
    )
    expect(best).toBe(1)
  })
})
