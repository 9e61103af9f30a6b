import type { Working } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { asEvidence, hasData, rowsOf, skippedWithout, tell } from '../eval/data'
import { dwellTime, history, pilots, shorePower } from '../eval/harbours'
import { claimsIn } from './claimed'
import { overrule } from './overrule'

const interest: Working = {
  what: 'Balance after 3 years',
  formula: 'p * (1 + r / 12) ^ 36',
  result: 11_614.7223,
  inputs: [
    { name: 'p', value: 10_000, passageId: null },
    { name: 'r', value: 0.05, passageId: null },
  ],
}

describe('what code overrules', () => {
  it.each([
    ['Boarding lasts 20–30 minutes.', pilots],
    ['There are 3 kinds of pilots.', pilots],
    ['In 1874 the first quay was built.', history],
    ['The SPU of Aldwick was 12% in 2020 and 19% in 2022.', shorePower],
    ['The mean dwell time of Aldwick is about 32 hours.', dwellTime],
    ['Pilots are cautious.', pilots],
    ['Lotsen arbeiten bei Sturm nicht, weil die Leiter dann nicht zu benutzen ist.', pilots],
    ['A harbour pilot climbs aboard every ship before it comes in.', pilots],
    ['Yes.', pilots],
  ])('leaves standing: %s', (claim, passage) => expect(overrule(claim, [passage], [])).toBeNull())

  it.each([
    ['Boarding lasts 25 minutes.', pilots, 'unsupported'],
    ['In 1875 the first quay was built.', history, 'unsupported'],
    ['The SPU of Aldwick was 19% in 2020.', shorePower, 'contradicted'],
    ['The mean dwell time of Aldwick is 32 hours.', dwellTime, 'unsupported'],
    ['All rules are lifted.', pilots, 'unsupported'],
    ['The town hall was painted by a monk from the south.', shorePower, 'unsupported'],
  ])('overrules: %s', (claim, passage, verdict) => expect(overrule(claim, [passage], [])).toMatchObject({ verdict }))

  it('takes worked figures, rounded as they are written, and their inputs', () => {
    expect(overrule('10,000 grow to 11,614.72, which pilots like.', [pilots], [interest])).toBeNull()
    expect(overrule('10,000 grow to 11,615, which pilots like.', [pilots], [interest])).toBeNull()
    expect(overrule('10,000 grow to 11,600, which pilots like.', [pilots], [interest])).toMatchObject({
      verdict: 'unsupported',
    })
  })
})

type Row = { id: string; context: string; answer: string; grounded: boolean; kind: string }
const sets = ['grounding/numeric_tables.jsonl', 'grounding/halueval_qa.jsonl']

describe('a claim that corrects its question or sets sources against each other', () => {
  it.each([
    ['The first quay was not built in 1931 but in 1874.', history],
    ['The first quay was built in 1874, not in 1931.', history],
    ['The question assumes that the quay was built in 1931, but it was built in 1874.', history],
    ['Contrary to the question, boarding lasts 20–30 minutes.', pilots],
    ['Boarding does not last 90 minutes.', pilots],
    ['The SPU of Aldwick in 2021 was not 31% but 14%.', shorePower],
    ['The SPU of Aldwick in 2021 was 14% rather than 31%.', shorePower],
  ])('is left to the model: %s', (claim, passage) => expect(overrule(claim, [passage], [])).toBeNull())

  it.each([
    ['The first quay was not built in 1874 but in 1931.', history],
    ['The SPU of Aldwick in 2021 was not 14% but 31%.', shorePower],
    ['The SPU of Aldwick in 2021 was 31%, not 14%.', shorePower],
    ['The question assumes that it was calm, but boarding lasts 90 minutes.', pilots],
  ])('is overruled by what it puts in its place: %s', (claim, passage) =>
    expect(overrule(claim, [passage], [])).not.toBeNull(),
  )

  it('may give two tables that differ, with figures that both stand', () => {
    const other = { ...shorePower, id: 'other', text: shorePower.text.replace('14%', '15%') }
    expect(
      overrule('The SPU of Aldwick in 2021 was 14%, while another report gives 15%.', [shorePower, other], []),
    ).toBeNull()
    expect(
      overrule('The SPU of Aldwick in 2021 was 14%, while another report gives 16%.', [shorePower, other], []),
    ).toMatchObject({ verdict: 'unsupported' })
    expect(overrule('The sources contradict each other.', [shorePower, other], [])).toBeNull()
  })
})

describe('what code overrules: measured', () => {
  it.skipIf(!hasData)(skippedWithout('hardly a grounded answer, and every wrong cell'), () => {
    const rows = sets.flatMap((set) => rowsOf<Row>(set))
    const overruled = ({ context, answer }: Row): boolean =>
      claimsIn(answer).some(({ text }) => overrule(text, [asEvidence({ text: context })], []) !== null)
    const share = (some: Row[]): number => some.filter(overruled).length / some.length
    const grounded = rows.filter((row) => row.grounded)
    const cells = rows.filter(({ kind }) => /fabricated|missing_invented|wrong_/.test(kind))
    const swapped = rows.filter(({ kind }) => kind === 'swapped_context')
    tell(
      `overruled: ${(100 * share(grounded)).toFixed(1)} % of ${grounded.length} grounded answers, ${(100 * share(cells)).toFixed(1)} % of ${cells.length} wrong cells, ${(100 * share(swapped)).toFixed(1)} % of ${swapped.length} answers from another passage`,
    )
    expect(share(grounded)).toBeLessThanOrEqual(0.01)
    expect(share(cells)).toBeGreaterThanOrEqual(0.99)
    expect(share(swapped)).toBeGreaterThanOrEqual(0.85)
  })
})
