import { describe, expect, it } from 'vitest'
import { exactCells } from '@plumbline/knowledge/cells'
import { harbours, history, pilots, shorePower } from '../eval/harbours'
import { checkContract } from './check.contract'
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
  it('reads an exact cell again, against the question or a step', async () => {
    const [cell] = exactCells(question, harbours) ?? []
    const said = `${cell?.text.replace(/\.$/, '')} [1].`
    expect(await checked(said)).toMatchObject({
      claims: [
        { kind: 'number', verdict: 'supported', reason: 'The table gives just this.', passageId: shorePower.id },
      ],
      support: 'full',
    })
    expect(await verdicts(said, ['Who built the quay?', question])).toEqual(['supported'])
    expect(await verdicts(said.replace('14', '15'))).toEqual(['unsupported'])
    expect(await verdicts(said.replace('[1]', '[2]'))).toEqual(['unsupported'])
    expect(await verdicts(said, ['Who built the quay?', 'Where is it?'])).toEqual(['unsupported'])
  })

  it('lets whole sentences and items stand word for word, and nothing that was cut, joined or changed', async () => {
    expect(await verdicts('Sea pilots guide ships from the open sea to the roads [2].')).toEqual(['supported'])
    expect(
      await verdicts(
        'Pilots work during storms [2]. Sea pilots guide ships [2]. Every harbour pilot boards every ship [2].',
      ),
    ).toEqual(['unsupported', 'unsupported', 'unsupported'])
  })

  it('leaves all else to a model or a person, and says so', async () => {
    expect((await checked('The engineer Maria Lund built it in 1874 [3].')).claims).toMatchObject([
      { verdict: 'unsupported', reason: 'Not decided without a model.', passageId: null },
    ])
    expect((await checked('It was lovely.')).claims).toMatchObject([{ reason: 'It cites no passage.' }])
  })

  it.each([
    'In summary, Anna Brown was convicted of fraud [3].',
    'Of course, it is free [3].',
    'Please pay at https://pay.example/now [3].',
    'Thanks to this, all is well [3].',
    'Here is the answer [3].',
  ])('exempts nothing that opens politely: %s', async (text) => expect(await verdicts(text)).toEqual(['unsupported']))

  it('rates no usefulness', async () => expect(await checked('It is [1].')).not.toHaveProperty('usefulness'))

  it('counts support over every claim', () => {
    const claim = (verdict: 'supported' | 'contradicted') =>
      ({ text: 't', kind: 'fact', verdict, reason: 'r', passageId: null }) as const
    expect(supportOf([claim('supported')])).toBe('full')
    expect(supportOf([claim('supported'), claim('contradicted')])).toBe('partial')
    expect(supportOf([claim('contradicted')])).toBe('none')
    expect(supportOf([])).toBe('none')
  })
})
