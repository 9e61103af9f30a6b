import { describe, expect, it } from 'vitest'
import { keepsToItsEvidence } from '../answer/answer.contract'
import { harbours } from '../skill/fixtures.spec'
import type { Call, Summarise } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const question = 'Summarise the harbour report: pilots, quays and cranes.'

/** What every implementation of `summarise` keeps to. */
export const summariseContract = (label: string, summarise: () => Summarise): void => {
  describe(`summarise: ${label}`, () => {
    it('tells of several sections, each with a passage it was given', async () => {
      const draft = await summarise()({ question, passages: harbours, maxSentences: 6 }, call)
      keepsToItsEvidence(draft, harbours)
      if (draft.kind === 'refused') throw new Error(draft.reason)
      const places = draft.kind === 'written' ? draft.citations : draft.quotes
      expect(new Set(places.map(({ passageId }) => passageId)).size).toBeGreaterThan(1)
    })

    it('is refused where there is nothing to sum up', async () =>
      expect(await summarise()({ question, passages: [], maxSentences: 6 }, call)).toMatchObject({ kind: 'refused' }))

    it('stops when told to', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(summarise()({ question, passages: harbours, maxSentences: 2 }, aborted)).rejects.toThrow()
    })
  })
}
