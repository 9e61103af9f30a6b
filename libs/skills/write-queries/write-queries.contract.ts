import { describe, expect, it } from 'vitest'
import type { Call } from '../skill'
import type { WriteQueries } from './write-queries'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const questions = [
  'What was the cargo throughput of Oslo harbour in 2019 and 2020?',
  'emissions',
  'How does the agent decide that a task is done?',
  'Who is the director of "The Long Night"?',
  'What is it?',
]
const key = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** What every implementation of `writeQueries` keeps to. */
export const writeQueriesContract = (label: string, writeQueries: () => WriteQueries): void => {
  describe(`writeQueries: ${label}`, () => {
    it.each([0, 1, 2, 4])(
      'writes at most %i, none of them empty, the question again, or twice the same',
      async (count) => {
        for (const question of questions) {
          const queries = await writeQueries()({ question, count }, call)
          expect(queries.length).toBeLessThanOrEqual(count)
          const keys = queries.map(key)
          expect(keys).not.toContain('')
          expect(keys).not.toContain(key(question))
          expect(new Set(keys).size).toBe(keys.length)
        }
      },
    )

    it('writes as many as are wanted of a full question, and keeps its names and years', async () => {
      const queries = await writeQueries()({ question: questions[0] ?? '', count: 2 }, call)
      expect(queries).toHaveLength(2)
      for (const query of queries) expect(query).toMatch(/Oslo/i)
      expect(queries.some((query) => /2019/.test(query) && /2020/.test(query))).toBe(true)
    })

    it('stops when it is told to', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect((async () => writeQueries()({ question: 'emissions', count: 2 }, aborted))()).rejects.toThrow()
    })
  })
}
