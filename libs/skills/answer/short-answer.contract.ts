import { describe, expect, it } from 'vitest'
import { dwellTime, shorePower } from '../eval/harbours'
import type { Call, ShortAnswer } from '../skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }

/** What every implementation of `shortAnswer` keeps to: a few words in one line that stand in the evidence, or null. */
export const shortAnswerContract = (label: string, shortAnswer: () => ShortAnswer): void => {
  describe(`shortAnswer: ${label}`, () => {
    it('gives words of the evidence, in one line', async () => {
      const found = await shortAnswer()(
        { question: 'What is the mean dwell time of Aldwick?', evidence: [dwellTime] },
        call,
      )
      expect(found).not.toBeNull()
      expect(dwellTime.text).toContain(found)
      expect(found).not.toMatch(/\n/)
    })

    it('gives nothing where there is no evidence', async () =>
      expect(
        await shortAnswer()({ question: 'What is the mean dwell time of Aldwick?', evidence: [] }, call),
      ).toBeNull())

    it('stops when told to', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(shortAnswer()({ question: 'q', evidence: [shorePower] }, aborted)).rejects.toThrow()
    })
  })
}
