import { describe, expect, it } from 'vitest'
import { Claim } from '@plumbline/contracts'
import { harbours } from '../eval/harbours'
import type { Call } from '../skill'
import type { CheckClaims } from './check-claims'

const call: Call = { signal: new AbortController().signal, tier: 'strong', temperature: 0 }
const citations = harbours.map(({ id }, at) => ({ n: at + 1, passageId: id }))

/** What every implementation of `checkClaims` keeps to. The passages are 1 shore power, 2 dwell time, 3 pilots, 4 history. */
export const checkClaimsContract = (label: string, checkClaims: () => CheckClaims): void => {
  const check = (text: string) =>
    checkClaims()({ question: 'What about the harbours?', text, citations, evidence: harbours }, call)
  const verdicts = async (text: string) =>
    (await check(text)).filter(({ kind }) => kind !== 'style').map(({ verdict }) => verdict)

  describe(`checkClaims: ${label}`, () => {
    it('finds a claim in every sentence, with a reason and a passage that was given', async () => {
      const claims = await check(
        'The SPU of Aldwick in 2021 was 14% [1]. Boarding lasts 20–30 minutes in calm weather [3].',
      )
      expect(claims.length).toBeGreaterThanOrEqual(2)
      for (const claim of claims) {
        Claim.parse(claim)
        expect(claim.reason).not.toBe('')
        expect(claim.verdict).toBe('supported')
        expect(harbours.map(({ id }) => id)).toContain(claim.passageId)
      }
    })

    it.each([
      'The SPU of Aldwick in 2021 was 31% [1].',
      'The SPU of Aldwick in 2021 was 12% [1].',
      'The SPU of Aldwick (east quay) in 2020 was 12% [1].',
      'The SPU of New Corvey in 2022 was 77% [1].',
    ])('contradicts a figure of another row, year or none: %s', async (text) =>
      expect(await verdicts(text)).toEqual(['contradicted']),
    )

    it('holds what is said to be unreported against all of the evidence', async () => {
      expect(await verdicts('The SPU of Aldwick (east quay) in 2020 is not reported [1].')).toEqual(['supported'])
      expect(await verdicts('The SPU of Aldwick in 2020 is not reported [3].')).toEqual(['contradicted'])
    })

    it.each([
      ['no citation', 'Boarding lasts 20–30 minutes in calm weather.'],
      ['another passage', 'Boarding lasts 20–30 minutes in calm weather [1].'],
      ['a passage that is not there', 'Boarding lasts 20–30 minutes in calm weather [9].'],
      ['another name', 'The first quay of Aldwick was built in 1874 by the engineer Nora Berg [4].'],
      ['another year', 'The first quay of Aldwick was built in 1931 by the engineer Maria Lund [4].'],
      ['another number', 'Boarding lasts 90 minutes in calm weather [3].'],
      ['a denial', 'The first quay of Aldwick was not built by the engineer Maria Lund [4].'],
      ['an invention', 'Harbour pilots are paid by the shipping companies every month [3].'],
    ])('supports nothing with %s', async (_, text) => expect(await verdicts(text)).not.toContain('supported'))

    it('stops when told to', async () => {
      const signal = AbortSignal.abort()
      await expect(
        checkClaims()({ question: 'q', text: 'One [1].', citations, evidence: harbours }, { ...call, signal }),
      ).rejects.toThrow()
    })
  })
}
