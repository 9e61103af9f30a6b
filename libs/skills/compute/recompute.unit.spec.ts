import { describe, expect, it } from 'vitest'
import type { Working } from '@plumbline/contracts'
import { dwellTime, harbours, shorePower } from '../eval/harbours'
import { offlineCheckClaims } from '../check-claims/check-claims.offline'
import { checkWorked, recompute } from './recompute'

const question = 'What do 10,000 become at 5 % a year in three years, compounded monthly?'
const compound: Working = {
  what: 'Amount after 3 years',
  formula: 'principal × (1 + rate / periods)^(periods × years)',
  inputs: [
    { name: 'principal', value: 10_000, passageId: null },
    { name: 'rate', value: 0.05, passageId: null },
    { name: 'periods', value: 12, passageId: null },
    { name: 'years', value: 3, passageId: null },
  ],
  result: 11_614.722313335,
}
const cranes: Working = {
  what: 'Cranes of Aldwick and Brenholm together',
  formula: 'a + b',
  inputs: [
    { name: 'a', value: 12, passageId: dwellTime.id },
    { name: 'b', value: 4, passageId: dwellTime.id },
  ],
  result: 16,
}
const sources = { question, evidence: harbours }
const first = (working: Working, change: Partial<Working['inputs'][number]>): Working => ({
  ...working,
  inputs: working.inputs.map((input, at) => (at === 0 ? { ...input, ...change } : input)),
})

describe('recompute', () => {
  it('gives what the formula gives, whatever was said to come out', () => {
    expect(recompute(compound, sources)).toMatchObject({ kind: 'worked', value: 11_614.722313335 })
    expect(recompute({ ...cranes, result: 99 }, sources)).toEqual({ kind: 'worked', value: 16 })
  })

  it.each<[string, Working, RegExp]>([
    [
      'an input that does not stand in the question',
      first(compound, { value: 12_000 }),
      /principal = 12,000 does not stand in the question/,
    ],
    [
      'an input that does not stand in its passage',
      first(cranes, { passageId: shorePower.id, value: 77 }),
      /a = 77 does not stand in the passage/,
    ],
    ['an input of a passage that is not there', first(cranes, { passageId: 'p99' }), /does not stand in the passage/],
    ['a number that nobody gave', { ...cranes, formula: 'a + b + 77.7' }, /formula holds 77\.7/],
    ['a formula that cannot be read', { ...cranes, formula: 'a +' }, /cannot be read/],
    ['a formula that gives nothing', { ...cranes, formula: 'a / (b - b)' }, /divides by zero/],
    ['a name without an input', { ...cranes, formula: 'a + c' }, /“c” is not among the inputs/],
  ])('trusts no %s', (_, working, why) =>
    expect(recompute(working, sources)).toMatchObject({ kind: 'unfounded', why: expect.stringMatching(why) }),
  )
})

describe('claims that state a worked figure', () => {
  const verdict = (claim: string, ...workings: Working[]) => checkWorked(claim, workings, sources)

  it.each([
    'Amount after 3 years: 10,000 × (1 + 0.05 / 12)^(12 × 3) = 11,614.72.',
    'After three years the 10,000 become 11,614.72.',
    'At 5 % a year, compounded monthly, 10,000 become 11,615 in 3 years.',
  ])('stands: %s', (claim) =>
    expect(verdict(claim, compound)).toMatchObject({
      verdict: 'supported',
      passageId: null,
      reason: expect.stringContaining('= 11,614.72'),
    }),
  )

  it('names the passage of the inputs', () =>
    expect(verdict('Aldwick and Brenholm have 16 cranes together.', cranes)).toMatchObject({
      verdict: 'supported',
      passageId: dwellTime.id,
    }))

  it.each([
    ['Amount after 3 years: 10,000 × (1 + 0.05 / 12)^(12 × 3) = 11,641.72.', compound],
    ['The amount after 3 years is 11,500.', compound],
    ['The cranes of Aldwick and Brenholm together are 17.', cranes],
    ['The cranes of Aldwick and Brenholm together are 17.', { ...cranes, result: 17 }],
    ['The cranes of Aldwick and Brenholm together are 16%.', cranes],
  ])('is contradicted with the right figure: %s', (claim, working) =>
    expect(verdict(claim, working)).toMatchObject({
      verdict: 'contradicted',
      reason: expect.stringMatching(/= (?:11,614\.72|16)/),
    }),
  )

  it('does not stand where an input is made up', () =>
    expect(verdict('Aldwick and Brenholm have 16 cranes together.', first(cranes, { passageId: 'p99' }))).toMatchObject(
      { verdict: 'unsupported', reason: expect.stringContaining('does not stand') },
    ))

  it.each([
    ['it says something else', 'The first quay was built by Maria Lund.'],
    ['it says more than the figure', 'Aldwick and Brenholm have 16 cranes together, and 7 of them are broken.'],
    ['it names somebody besides', 'Nora Berg counted 16 cranes together in Aldwick and Brenholm.'],
    ['it gives an input alone', 'Aldwick has 12 cranes.'],
  ])('is left to the passages where %s', (_, claim) => expect(verdict(claim, cranes)).toBeNull())

  it('needs no citation in the offline check, and no mercy either', async () => {
    const check = (text: string) =>
      offlineCheckClaims(
        { question, text, citations: [], evidence: harbours, workings: [compound] },
        { signal: new AbortController().signal, tier: 'small', temperature: 0 },
      )
    const [right, wrong, bare] = await check(
      'Amount after 3 years: 11,614.72. Amount after 3 years: 12,000. The first quay was built in 1874.',
    )
    expect([right?.verdict, wrong?.verdict, bare?.verdict]).toEqual(['supported', 'contradicted', 'unsupported'])
  })
})
