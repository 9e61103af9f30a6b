import { describe, expect, it } from 'vitest'
import { keepsToItsEvidence } from '../answer/answer.contract'
import { harbours } from '../skill/fixtures.spec'
import type { Call, Summarise } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const question = 'Summarise the harbour report: pilots, quays and cranes.'

export const summariseContract = (label: string, summarise: () => Summarise): void => {
  describe(`summarise: ${label}`, () => {
    it('covers several sections, each with a given passage', async () => {
      const draft = await summarise()({ question, passages: harbours, maxSentences: 6 }, call)
      keepsToItsEvidence(draft, harbours)
      if (draft.kind === 'refused') throw new Error(draft.reason)
      const places = draft.kind === 'written' ? draft.citations : draft.quotes
      expect(new Set(places.map(({ passageId }) => passageId)).size).toBeGreaterThan(1)
    })

    it('refuses if there are no passages', async () =>
      expect(await summarise()({ question, passages: [], maxSentences: 6 }, call)).toMatchObject({ kind: 'refused' }))

    it('stops when its signal aborts', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(summarise()({ question, passages: harbours, maxSentences: 2 }, aborted)).rejects.toThrow()
    })
  })
}
