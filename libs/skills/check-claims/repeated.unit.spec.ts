import { describe, expect, it } from 'vitest'
import { passage } from '@plumbline/flow/spec/given.spec'
import { isAbsence } from './absence'
import { offlineCheckClaims } from './check-claims.offline'

const text =
  'The warranty lasts three years. Worn drums are not covered. A reader may ask with fewer tags. A rule that replaces another goes before it; where both say the same, the old one is marked and not answered from, unless the question names a year in which it stood.'
const verdict = async (claim: string, held = text): Promise<string[]> => {
  const input = {
    question: 'q',
    text: `${claim} [1].`,
    citations: [{ n: 1, passageId: 'p' }],
    evidence: [{ ...passage('p'), text: held }],
  }
  return (await offlineCheckClaims(input, { signal: new AbortController().signal, tier: 'small', temperature: 0 })).map(
    (claim) => claim.verdict,
  )
}

describe('a sentence of the passage itself', () => {
  it.each(text.split(/(?<=\.) /))('stands: %s', async (sentence) =>
    expect(await verdict(sentence.slice(0, -1))).toEqual(['supported']),
  )
  it('does not stand where the passage takes it back', async () =>
    expect(
      await verdict('Drums are not oiled by hand', 'Drums are oiled. Drums are not oiled by hand. That is wrong.'),
    ).toEqual(['contradicted']))
})

describe('what says that documents are silent', () => {
  it.each([
    [true, 'The documents do not cover worn drums'],
    [true, 'The handbook does not list the fees'],
    [true, 'It does not mention worn drums'],
    [true, 'It does not contain any information on drums'],
    [true, 'The fee is not given'],
    [false, 'It does not cover worn drums'],
    [false, 'The price does not include the drum'],
    [false, 'Worn drums are not covered'],
  ])('%s: %s', (absent, claim) => expect(isAbsence(claim, [{ ...passage('p'), text }])).toBe(absent))
  it('is not contradicted by a cell where a reason is asked for', async () =>
    expect(
      await verdict(
        'The documents do not answer the question “Why is Alma the largest ship”',
        '| Boat | Ship | Length (m) |\n|---|---|---|\n| Rana | Alma | 12 |',
      ),
    ).toEqual(['supported']))
})
