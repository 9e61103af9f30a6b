import { describe, expect, it } from 'vitest'
import { sentences } from '@plumbline/knowledge/text'
import { harbours } from '../eval/harbours'
import type { Call } from '../skill'
import type { Summarise } from './summarise'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }

/** What every implementation of `summarise` keeps to. */
export const summariseContract = (label: string, summarise: () => Summarise): void => {
  const sum = (passages = harbours, maxSentences = 6) =>
    summarise()({ question: 'Summarise the harbour report.', passages, maxSentences }, call)

  describe(`summarise: ${label}`, () => {
    it('tells of several sections, each sentence with a passage it was given', async () => {
      const { text, citations } = await sum()
      expect(new Set(citations.map(({ passageId }) => passageId)).size).toBeGreaterThan(1)
      for (const sentence of sentences(text)) expect(sentence).toMatch(/\[\d+\][.!]?$/)
      for (const { passageId } of citations) expect(harbours.map(({ id }) => id)).toContain(passageId)
    })

    it('keeps to its number of sentences', async () => expect(sentences((await sum(harbours, 1)).text)).toHaveLength(1))

    it('says something also where there is nothing to say', async () =>
      expect((await sum([{ ...harbours[0]!, text: '| a |\n|---|\n| 1 |' }])).text).not.toBe(''))

    it('stops when told to', async () => {
      await expect(
        (async () =>
          summarise()(
            { question: 'q', passages: harbours, maxSentences: 2 },
            { ...call, signal: AbortSignal.abort() },
          ))(),
      ).rejects.toThrow()
    })
  })
}
