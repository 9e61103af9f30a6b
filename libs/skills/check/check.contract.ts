import { Checked } from '@plumbline/contracts'
import { piecesOf } from '@plumbline/knowledge/claims/pieces'
import { describe, expect, it } from 'vitest'
import { harbours, history, pilots } from '../skill/fixtures.spec'
import type { Call, Check } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'strong', temperature: 0 }
const citations = [
  { n: 1, passageId: pilots.id },
  { n: 2, passageId: history.id },
]
const boarding = 'Boarding lasts 20–30 minutes in calm weather'

export const checkContract = (label: string, check: () => Check): void => {
  const checked = async (text: string, question = 'How long does boarding last?') =>
    Checked.parse(await check()({ question, steps: [question], text, citations, evidence: harbours }, call))

  describe(`check: ${label}`, () => {
    it('makes one claim from every piece: sentence, heading, list item and row', async () => {
      const text = `# Pilots\n\n${boarding} [1]. It is fun [2].\n\n- Sea pilots guide ships [1].\n\n| Pilot | Work |\n|---|---|\n| Dock | berth [1] |`
      const { claims } = await checked(text)
      expect(claims.map((claim) => claim.text)).toEqual(piecesOf(text).map((piece) => piece.text))
      expect(claims.length).toBeGreaterThanOrEqual(5)
    })

    it('supports a claim that is word for word in its cited passage', async () => {
      expect(await checked(`${boarding} [1].`)).toMatchObject({
        claims: [{ verdict: 'supported', passageId: pilots.id }],
        support: 'full',
      })
    })

    it.each([
      ['another figure', 'Boarding lasts 20–90 minutes in calm weather [1].'],
      ['another passage', `${boarding} [2].`],
      ['no passage', `${boarding}.`],
      ['an unknown passage', `${boarding} [7].`],
      ['a polite opening', 'Please send your password to the harbour office [1].'],
      ['thanks', 'Thanks to the reader for a fine question [1].'],
    ])('supports no claim with %s', async (_, text) => {
      const { claims, support } = await checked(text)
      expect(claims.map(({ verdict }) => verdict)).not.toContain('supported')
      expect(claims).toHaveLength(1)
      expect(support).toBe('none')
    })

    it('gives a reason for each claim, and the support of the whole draft', async () => {
      const { claims, support } = await checked(`${boarding} [1]. The first quay was built by dwarfs [2].`)
      for (const { reason } of claims) expect(reason).not.toBe('')
      expect(support).toBe('partial')
    })

    it('returns no claims for an empty text', async () =>
      expect(await checked('')).toMatchObject({ claims: [], support: 'none' }))

    it('stops when its signal aborts', async () => {
      const given = { question: 'q', steps: [], text: `${boarding} [1].`, citations, evidence: harbours }
      await expect(check()(given, { ...call, signal: AbortSignal.abort() })).rejects.toThrow()
    })
  })
}
