import { Strategy } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import type { Call, FailedPassage, RetryQuery } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const question = 'What was the cargo throughput of Oslo harbour in 2019?'
const dredged: FailedPassage = { title: 'Oslo harbour', text: 'It was dredged in 2004 and got two cranes.' }
const soup: FailedPassage = { title: 'Soup', text: 'Lentils and onions.', level: 'low', reason: 'It is a recipe.' }

const same = (query: string): string => query.toLowerCase().replace(/\s+/g, ' ').trim()

export const retryQueryContract = (label: string, rewriteQuery: () => RetryQuery): void => {
  const rewrite = (triedQueries: string[], failedPassages: FailedPassage[] = []) =>
    rewriteQuery()({ question, triedQueries, failedPassages, reason: 'too few relevant passages' }, call)

  describe(`rewriteQuery: ${label}`, () => {
    it.each<[string, FailedPassage[]]>([
      ['nothing was found', []],
      ['something close was found', [dredged]],
      ['something else was found', [soup]],
    ])('never repeats a tried query if %s', async (_, failed) => {
      const tried = [question]
      for (let turn = 0; turn < 6; turn += 1) {
        const found = await rewrite(tried, failed)
        if (found === null) break
        expect(found.query.trim()).not.toBe('')
        expect(found.reason.trim()).not.toBe('')
        Strategy.parse(found.strategy)
        expect(tried.map(same)).not.toContain(same(found.query))
        tried.push(found.query)
      }
    })

    it('keeps the subject of the question', async () =>
      expect((await rewrite([question], [dredged]))?.query).toMatch(/cargo|throughput/i))

    it('stops when its signal aborts', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(
        rewriteQuery()({ question, triedQueries: [], failedPassages: [], reason: '' }, aborted),
      ).rejects.toThrow()
    })
  })
}
