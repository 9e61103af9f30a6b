import { describe, expect, it } from 'vitest'
import { Strategy } from '@plumbline/contracts'
import type { Call } from '../skill'
import type { RewriteQuery } from './rewrite-query'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
const alike = (a: string, b: string): number => {
  const [left, right] = [wordsOf(a), wordsOf(b)]
  const both = [...left].filter((word) => right.has(word)).length
  return both / Math.max(1, left.size + right.size - both)
}

/** What every implementation of `rewriteQuery` keeps to: each query is a new one, however often it is asked. */
export const rewriteQueryContract = (label: string, rewriteQuery: () => RewriteQuery): void => {
  describe(`rewriteQuery: ${label}`, () => {
    it.each([
      ['What was the cargo throughput of Oslo harbour in 2019?', []],
      [
        'What was the cargo throughput of Oslo harbour in 2019?',
        ['Oslo harbour was dredged in 2004 and got two cranes. Its cargo is timber.', 'Ships call at Bergen.'],
      ],
      ['Compare the throughput of Oslo and Bergen.', ['Throughput of Oslo and of Bergen is counted in tonnes.']],
      ['emissions', ['A recipe for soup.']],
    ])('never comes back to an earlier query: %s', async (question, failedPassages) => {
      const tried = [question]
      for (let turn = 0; turn < 6; turn += 1) {
        const { query, strategy, reason } = await rewriteQuery()(
          { question, triedQueries: tried, failedPassages, reason: 'too few relevant passages' },
          call,
        )
        expect(query.trim()).not.toBe('')
        expect(reason.trim()).not.toBe('')
        Strategy.parse(strategy)
        for (const earlier of tried) expect(alike(query, earlier), `“${query}” beside “${earlier}”`).toBeLessThan(0.9)
        tried.push(query)
      }
    })

    it('stays with the subject', async () => {
      const { query } = await rewriteQuery()(
        {
          question: 'What was the cargo throughput of Oslo harbour in 2019?',
          triedQueries: [],
          failedPassages: [],
          reason: 'nothing found',
        },
        call,
      )
      expect(query).toMatch(/oslo|cargo|throughput|harbour/i)
    })

    it('stops when it is told to', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(
        (async () => rewriteQuery()({ question: 'a', triedQueries: [], failedPassages: [], reason: '' }, aborted))(),
      ).rejects.toThrow()
    })
  })
}
