import type { Evidence } from '@plumbline/contracts'
import { exactCells } from '@plumbline/knowledge/cells/exact-cells'
import { describe, expect, it } from 'vitest'
import { dwellTime, harbours, history, pilots, shorePower } from '../skill/fixtures.spec'
import { checkContract } from './check.contract'
import { overrule, readDraft } from './settle'
import { offlineCheck, supportOf } from './check.offline'

checkContract('offline', () => offlineCheck)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const question = 'What was the SPU of Aldwick in 2021?'
const citations = [shorePower, pilots, history].map(({ id }, at) => ({ n: at + 1, passageId: id }))
const checked = (text: string, steps: string[] = []) =>
  offlineCheck({ question, steps, text, citations, evidence: harbours }, call)
const verdicts = async (text: string, steps?: string[]) =>
  (await checked(text, steps)).claims.map(({ verdict }) => verdict)

describe('offline check', () => {
  it('supports an exact cell that the question or a step asks for', async () => {
    const [cell] = exactCells(question, harbours) ?? []
    const said = `${cell?.text.replace(/\.$/, '')} [1].`
    expect(await checked(said)).toMatchObject({
      claims: [
        {
          kind: 'number',
          verdict: 'supported',
          reason: 'The table contains exactly this value.',
          passageId: shorePower.id,
        },
      ],
      support: 'full',
    })
    expect(await verdicts(said, ['Who built the quay?', question])).toEqual(['supported'])
    expect(await verdicts(said.replace('14', '15'))).toEqual(['unsupported'])
    expect(await verdicts(said.replace('[1]', '[2]'))).toEqual(['unsupported'])
    expect(await verdicts(said, ['Who built the quay?', 'Where is it?'])).toEqual(['unsupported'])
  })

  it('supports whole sentences and items word for word, but not cut, joined or changed ones', async () => {
    expect(await verdicts('Sea pilots guide ships from the open sea to the roads [2].')).toEqual(['supported'])
    expect(
      await verdicts(
        'Pilots work during storms [2]. Sea pilots guide ships [2]. Every harbour pilot boards every ship [2].',
      ),
    ).toEqual(['unsupported', 'unsupported', 'unsupported'])
  })

  it('leaves all else undecided, with a reason', async () => {
    expect((await checked('The engineer Maria Lund built it in 1874 [3].')).claims).toMatchObject([
      { verdict: 'unsupported', reason: 'Not decided without a model.', passageId: null },
    ])
    expect((await checked('It was lovely.')).claims).toMatchObject([{ reason: 'The statement cites no passage.' }])
  })

  it.each([
    'In summary, Anna Brown was convicted of fraud [3].',
    'Of course, it is free [3].',
    'Please pay at https://pay.example/now [3].',
    'Thanks to this, all is well [3].',
    'Here is the answer [3].',
  ])('exempts no polite opening: %s', async (text) => expect(await verdicts(text)).toEqual(['unsupported']))

  it('rates no usefulness', async () => expect(await checked('It is [1].')).not.toHaveProperty('usefulness'))

  it('derives the support from all claims', () => {
    const claim = (verdict: 'supported' | 'contradicted') =>
      ({ text: 't', kind: 'fact', verdict, reason: 'r', passageId: null }) as const
    expect(supportOf([claim('supported')])).toBe('full')
    expect(supportOf([claim('supported'), claim('contradicted')])).toBe('partial')
    expect(supportOf([claim('contradicted')])).toBe('none')
    expect(supportOf([])).toBe('none')
  })
})

const asked404 = 'Why does error 404 come since 1985?'
const scene = { question: asked404, workings: [] }
const sales: Evidence = {
  ...dwellTime,
  id: 'sales',
  headingPath: ['Sales', 'EUR thousand'],
  text: 'As of 3 May 2024.\n\n| Year | Sales |\n|---|---|\n| 2023 | 1,250 |\n\nMore at https://sales.example/2023.',
}
const tonnes: Evidence = {
  ...dwellTime,
  id: 'tonnes',
  text: '520 tonnes in 2022, 1,500 units in 2020, 1200 people at the end of 2024. Measured in 2019, 2020 and 2021.',
}
const working = { what: '', formula: 'a * 2', inputs: [{ name: 'a', value: 12, passageId: 'x' }], result: 24 }

describe('overrule', () => {
  it.each([
    ['a figure with another value', 'Aldwick has 13 cranes [1].', [dwellTime], /do not contain .*13/],
    ['a figure of an uncited passage', 'Boarding lasts 20 minutes [1].', [dwellTime], /do not contain 20,/],
    [
      'a link that no passage has',
      'Pay at [our page](https://pay.example) [1].',
      [pilots],
      /do not contain .*pay\.example/,
    ],
    ['a link with another path on the same host', 'See https://sales.example/2024 [1].', [sales], /sales\.example/],
    ['a day of another month', 'Sales as of 3 June 2024 [1].', [sales], /3 June 2024/],
    ['a failed calculation', 'It is {{ a + b }} [1].', [dwellTime], /carried out/],
  ])('rejects %s', (_, text, cited, why) => {
    expect(overrule(text, cited, scene)).toMatch(why)
  })

  it.each([
    ['a figure of the question', 'Error 404 has come since 1985 [1].', [pilots]],
    ['a figure of a table in thousands', 'Sales were EUR 1.25 million in 2023 [1].', [sales]],
    ['a date written another way', 'As of 2024-05-03 [1].', [sales]],
    ['a link of the passage', 'More is at https://sales.example/2023 [1].', [sales]],
    ['words only, however wrong', 'Pilots never sleep [1].', [pilots]],
    ['a figure after a year', 'In 2022 520 tonnes were moved [1].', [tonnes]],
    ['a larger figure after a year', 'In 2020 1500 units were sold [1].', [tonnes]],
    ['a figure after a year in a phrase', 'By the end of 2024 1200 people worked there [1].', [tonnes]],
    ['years in a row', 'It was measured in 2019 2020 and 2021 [1].', [tonnes]],
    ['two passages together', 'Aldwick has 12 cranes and a quay of 1874 [1][2].', [dwellTime, history]],
  ])('accepts %s', (_, text, cited) => {
    expect(overrule(text, cited, scene)).toBeNull()
    expect(overrule(`| ${text.replace(/\.$/, '')} | yes |`, cited, scene)).toBeNull()
  })

  it('rejects a claim if one of its citations is not among the passages', async () => {
    const supported = { verdict: 'supported', reason: '', passage: 3, conflictsWith: null } as const
    const settle = async (text: string) => {
      const draft = await readDraft({ question, text, citations, evidence: harbours }, 10_000)
      return draft.pieces.map((piece) => draft.settle(piece, [supported]).verdict)
    }
    expect(await settle('Maria Lund was an engineer [3].')).toEqual(['supported'])
    expect(await settle('Maria Lund was an engineer [3][9].')).toEqual(['unsupported'])
  })

  it('reads brackets and braces in code as code', () => {
    const code = { ...pilots, text: 'retries = [3]\nimage: {{ .Values.image }}\nreset(list[7])' }
    expect(overrule('retries = [5]', [code], scene, true)).toMatch(/do not contain 5/)
    expect(overrule('reset(list[12])', [code], scene, true)).toMatch(/do not contain 12/)
    for (const line of ['retries = [3]', 'reset(list[7])', 'image: {{ .Values.image }}'])
      expect(overrule(line, [code], scene, true)).toBeNull()
    expect(overrule('Write `{{ .Values.image }}` there [1].', [code], scene)).toBeNull()
  })

  it('reads a bold label as a label, and a number below a letter as a number', () => {
    expect(overrule('**Data:** pilots work at night [1].', [pilots], scene)).toBeNull()
    expect(overrule('It saves CO2 on 80 m2 [1].', [{ ...pilots, text: 'CO₂ is saved on 80 m².' }], scene)).toBeNull()
  })

  it('rejects a telephone number that no cited passage has', () => {
    const desk = { ...pilots, text: 'Call +49 30 1234-567.' }
    expect(overrule('Call +49 30 1234-567 [1].', [desk], scene)).toBeNull()
    expect(overrule('Call +49 30 1234-568 [1].', [desk], scene)).toMatch(/do not contain .*568/)
    expect(overrule('Call 0800 1234567 [1].', [desk], scene)).toMatch(/do not contain .*0800, 1234567/)
  })

  const tons: Evidence = {
    ...dwellTime,
    id: 'tons',
    headingPath: ['Output', 'Thousand tonnes'],
    text: '| Year | Output |\n|---|---|\n| 2021 | 1,466 |\n| 2022 | 1,530 |',
  }
  const prose = { ...tons, headingPath: ['Output'], text: 'It rose from 1466 thousand tonnes to 1530 thousand tonnes.' }
  const rise = (passageId: string, result = 64) => ({
    ...{ what: '', formula: 'a - b', result },
    inputs: [
      { name: 'a', value: 1_530, passageId },
      { name: 'b', value: 1_466, passageId },
    ],
  })
  it.each([
    ['a table in thousands', tons],
    ['prose with its scale', prose],
  ])('accepts a calculated figure only with the scale of its inputs: %s', (_, source) => {
    const known = { question: 'By how much did it rise?', workings: [rise(source.id)], held: [source] }
    expect(overrule('It rose by 64 thousand tonnes [1].', [source], known)).toBeNull()
    expect(overrule('It rose by 64,000 tonnes [1].', [source], known)).toBeNull()
    expect(overrule('It rose by 64 million tonnes [1].', [source], known)).toMatch(/do not contain .*64/)
    expect(overrule('It rose by 65 thousand tonnes [1].', [source], known)).toMatch(/do not contain .*65/)
  })

  it('rejects a calculated figure without the scale of its inputs', () => {
    const known = { question: 'By how much did it rise?', workings: [rise('tons')], held: [prose] }
    expect(overrule('It rose by 64 tonnes [1].', [prose], known)).toMatch(/do not contain .*64/)
  })

  it('accepts the date of today and no other date', () => {
    const day = new Date()
    const written = day.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
    expect(overrule(`As of ${day.toISOString().slice(0, 10)} [1].`, [pilots], scene)).toBeNull()
    expect(overrule(`As of ${written} [1].`, [pilots], scene)).toBeNull()
    expect(overrule('As of 2 March 1999 [1].', [pilots], scene)).toMatch(/2 March 1999/)
    expect(overrule(`It has ${day.getUTCFullYear()} cranes [1].`, [pilots], scene)).not.toBeNull()
  })

  it('accepts a calculated figure, but no other value', () => {
    expect(overrule('Together 24 cranes [1].', [pilots], { question: asked404, workings: [working] })).toBeNull()
    expect(overrule('Together 24.5 cranes [1].', [pilots], { question: asked404, workings: [working] })).toMatch(
      /24\.5/,
    )
  })
})
