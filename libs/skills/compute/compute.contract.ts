import { describe, expect, it } from 'vitest'
import { Working } from '@plumbline/contracts'
import { dwellTime, harbours, shorePower } from '../eval/harbours'
import type { Call } from '../skill'
import type { Compute } from './compute'
import { recompute } from './recompute'

const call: Call = { signal: new AbortController().signal, tier: 'strong', temperature: 0 }

/** What every implementation of `compute` keeps to: whatever it works out, anybody can work out again from what was read. */
export const computeContract = (label: string, compute: () => Compute): void => {
  const ask = (question: string, evidence = harbours) => compute()({ question, evidence }, call)
  const result = async (question: string): Promise<number | undefined> => {
    const [working, other] = await ask(question)
    expect(other).toBeUndefined()
    return working?.result
  }

  describe(`compute: ${label}`, () => {
    it('works out compound interest, with formula and inputs', async () => {
      const [working] = await ask('What do 10,000 become at 5 % a year in 3 years, compounded monthly?', [])
      expect(working?.result).toBeCloseTo(11_614.72, 2)
      expect(working?.inputs.map(({ value }) => value).sort((a, b) => a - b)).toEqual([0.05, 3, 12, 10_000])
      expect(working?.inputs.every(({ passageId }) => passageId === null)).toBe(true)
    })

    it('reads inputs from the passages, and says from which', async () => {
      const [working] = await ask('How many cranes do Aldwick and Brenholm have in total?')
      expect(working?.result).toBe(16)
      expect(working?.inputs.map(({ value, passageId }) => [value, passageId])).toEqual([
        [12, dwellTime.id],
        [4, dwellTime.id],
      ])
      expect(await result('What is the difference between the SPU of New Corvey and Aldwick in 2021?')).toBe(24)
    })

    it('gives what stands when it is worked out again', async () => {
      for (const question of [
        'How many cranes do Aldwick and Brenholm have in total?',
        'How many km are 5 miles?',
        'What is 15% of 200?',
      ]) {
        const workings = await ask(question)
        expect(workings).toHaveLength(1)
        for (const working of workings) {
          Working.parse(working)
          expect(recompute(working, { question, evidence: harbours })).toEqual({
            kind: 'worked',
            value: working.result,
          })
        }
      }
    })

    it.each([
      ['no arithmetic is asked for', 'Who built the first quay of Aldwick?', harbours],
      ['an input is missing', 'How many cranes do Aldwick and New Corvey have in total?', harbours],
      ['nothing was found', 'How many cranes do Aldwick and Brenholm have in total?', []],
      ['another table was found', 'How many cranes do Aldwick and Brenholm have in total?', [shorePower]],
    ])('works out nothing where %s', async (_, question, evidence) => expect(await ask(question, evidence)).toEqual([]))

    it('stops when told to', async () => {
      await expect(
        (async () =>
          compute()({ question: 'What is 15% of 200?', evidence: [] }, { ...call, signal: AbortSignal.abort() }))(),
      ).rejects.toThrow()
    })
  })
}
