import { describe, expect, it } from 'vitest'
import type { Claim, Verdict } from '@plumbline/contracts'
import { AnswerPart, Confidence, Usefulness } from '@plumbline/contracts'
import { harbours, shorePower } from '../eval/harbours'
import type { Call } from '../skill'
import type { RateUsefulness } from './rate-usefulness'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }
const claim = (text: string, verdict: Verdict = 'supported', passageId = shorePower.id): Claim => ({
  text,
  kind: 'fact',
  verdict,
  reason: 'checked',
  passageId,
})

/** What every implementation of `rateUsefulness` keeps to. */
export const rateUsefulnessContract = (label: string, rateUsefulness: () => RateUsefulness): void => {
  const rate = (question: string, claims: Claim[], steps = [question]) =>
    rateUsefulness()(
      {
        question,
        steps,
        text: claims.map(({ text }) => text.replace(/\.$/, ' [1].')).join(' '),
        claims,
        evidence: harbours,
      },
      call,
    )
  const outcomes = async (question: string, claims: Claim[]) =>
    (await rate(question, claims)).parts.map(({ outcome }) => outcome)

  describe(`rateUsefulness: ${label}`, () => {
    const question = 'What was the SPU of Aldwick in 2021, and what was it of Aldwick (east quay) in 2020?'
    const told = claim('Shore power use (SPU) of Aldwick in 2021 was 14%.')
    const absent = claim('Shore power use (SPU) of Aldwick (east quay) in 2020 is not reported in the documents.')

    it('says of each part how it came out', async () => {
      expect(await outcomes(question, [told, absent])).toEqual(['answered', 'not-in-documents'])
      expect(await outcomes(question, [told])).toEqual(['answered', 'missed'])
      const { parts, usefulness, confidence } = await rate(question, [told, absent])
      parts.forEach((part) => AnswerPart.parse(part))
      Usefulness.parse(usefulness)
      Confidence.parse(confidence)
    })

    it('counts no part as answered by a claim that did not stand', async () =>
      expect(
        await outcomes('What was the SPU of Aldwick in 2021?', [
          claim('Shore power use (SPU) of Aldwick in 2021 was 31%.', 'contradicted'),
        ]),
      ).toEqual(['missed']))

    it('rates a whole answer above one in part, and that above none', async () => {
      const whole = await rate('What was the SPU of Aldwick in 2021?', [told])
      const half = await rate(question, [told])
      const none = await rate('What was the SPU of Aldwick in 2021?', [
        claim('The first quay was built of stone.', 'unsupported'),
      ])
      expect(whole.usefulness).toBe(5)
      expect(half.usefulness).toBeLessThan(whole.usefulness)
      expect(none.usefulness).toBeLessThan(half.usefulness)
      expect(none.usefulness).toBe(1)
    })

    it('rates a plain "the documents do not say" low, but not as a miss', async () => {
      const { parts, usefulness } = await rate('Who painted the town hall?', [
        claim('The documents do not answer the question “Who painted the town hall”.'),
      ])
      expect(parts.map(({ outcome }) => outcome)).toEqual(['not-in-documents'])
      expect(usefulness).toBeLessThanOrEqual(2)
    })

    it('rates prose by whether it bears on what was asked', async () => {
      const boarding = claim('Boarding lasts 20–30 minutes in calm weather.', 'supported', 'pilots')
      expect(await outcomes('How long does boarding last?', [boarding])).toEqual(['answered'])
      expect(await outcomes('Who built the first quay of Aldwick?', [boarding])).toEqual(['missed'])
    })

    it('notices a question that is too broad, and no other', async () => {
      const rows = Array.from({ length: 12 }, (_, at) => `| Port ${String.fromCharCode(65 + at)} | ${at + 3} |`)
      const wide = {
        ...shorePower,
        text: `| Harbour | Ships per day |\n|---|---|\n${rows.join('\n')}`,
        headingPath: ['Harbour report', 'Traffic'],
      }
      const broad = await rateUsefulness()(
        {
          question: 'How many ships per day?',
          steps: [],
          text: 'Many [1].',
          claims: [claim('Many.')],
          evidence: [wide],
        },
        call,
      )
      expect(broad.tooBroad).toBe(true)
      expect((await rate(question, [told, absent])).tooBroad).toBe(false)
    })

    it('stops when told to', async () => {
      const signal = AbortSignal.abort()
      await expect(
        rateUsefulness()({ question, steps: [], text: 'x', claims: [], evidence: [] }, { ...call, signal }),
      ).rejects.toThrow()
    })
  })
}
