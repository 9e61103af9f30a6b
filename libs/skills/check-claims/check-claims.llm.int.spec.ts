import type { Working } from '@plumbline/contracts'
import { answer } from '@plumbline/testing/model-server'
import type { Asked } from '@plumbline/testing/model-server'
import { describe, expect, it } from 'vitest'
import { messagesOf, shownIn } from '../asking/good-model.spec'
import { callWith, useModel } from '../asking/scripted.spec'
import { dwellTime, harbours, history, pilots, shorePower } from '../eval/harbours'
import { llmCheckClaims } from './check-claims.llm'

const model = useModel()
const citations = harbours.map(({ id }, at) => ({ n: at + 1, passageId: id }))
const checked = (text: string, workings: Working[] = []) =>
  llmCheckClaims(model.chat)(
    { question: 'What about the harbours?', text, citations, evidence: harbours, workings },
    callWith(),
  )
const verdicts = async (text: string, workings: Working[] = []) =>
  (await checked(text, workings)).map(({ verdict }) => verdict)

const judgement = (claim: number, fields: object = {}) => ({
  claim,
  kind: 'fact',
  reason: 'It says so.',
  verdict: 'supported',
  confidence: 0.8,
  passage: 1,
  ...fields,
})
/** A checker that lets everything pass. */
const gullible = (asked: Asked) => {
  const claims = shownIn(messagesOf(asked)[1]?.content ?? '').all.filter(({ name }) => name.startsWith('claim'))
  return answer.json({ claims: claims.map((_, at) => judgement(at + 1)) })
}
const passages = (): string[][] =>
  model
    .shown()
    .map(({ all }) =>
      all.filter(({ name }) => name.startsWith('passage')).map(({ text }) => text.split('\n\n').slice(1).join('\n\n')),
    )
const boarding = 'Boarding lasts 20–30 minutes in calm weather'

describe('claims checked by a model', () => {
  it('are judged by calls that see only the passages they cite, all at once', async () => {
    let release = (): void => {}
    const all = new Promise<void>((resolve) => (release = resolve))
    model.server().script('check-claims', async (asked) => {
      if (model.sent().length === 3) release()
      await all
      return gullible(asked)
    })
    const claims = await checked(
      `${boarding} [3]. The first quay is old [4]. Pilots guide ships [3]. Ships have pilots, and quays are old [3][4].`,
    )
    expect(claims.map(({ passageId }) => passageId)).toEqual(['pilots', 'history', 'pilots', 'pilots'])
    expect(passages()).toHaveLength(3)
    expect(passages()).toEqual(expect.arrayContaining([[pilots.text], [history.text], [pilots.text, history.text]]))
    const both = model
      .shown()
      .find((shown) => shown.one('passage 1').includes('ladder') && shown.one('passage 2') === '')
    expect(both?.all.filter(({ name }) => name.startsWith('claim')).map(({ text }) => text)).toEqual([
      `${boarding}.`,
      'Pilots guide ships.',
    ])
  })

  it('are read with their question, which carries none of them', async () => {
    model.server().script('check-claims', gullible)
    expect(await verdicts('Yes, since 1931 [4].')).toEqual(['unsupported'])
    expect(model.shown()[0]?.one('question')).toBe('What about the harbours?')
  })

  it('carry what the model found', async () => {
    model
      .server()
      .script(
        'check-claims',
        answer.json({
          claims: [judgement(1, { verdict: 'contradicted', kind: 'cause', reason: 'It says the opposite.' })],
        }),
      )
    expect(await checked('Ships stay out because of storms [3].')).toEqual([
      {
        text: 'Ships stay out because of storms.',
        kind: 'cause',
        verdict: 'contradicted',
        reason: 'It says the opposite.',
        passageId: 'pilots',
        confidence: 0.8,
      },
    ])
  })

  it('cost no call where code settles them', async () => {
    expect(await verdicts(`${boarding}. ${boarding} [9]. Here is what I found:`)).toEqual([
      'unsupported',
      'unsupported',
      'supported',
    ])
    expect(await verdicts('The mean dwell time of Aldwick is not reported [1].')).toEqual(['contradicted'])
    expect(model.sent()).toEqual([])
  })

  it.each([
    ['a number that stands nowhere', 'Boarding lasts 45 minutes [3].', 'unsupported', /45 stands in none/],
    [
      'a year that stands nowhere',
      'The first quay of Aldwick was built in 1931 [4].',
      'unsupported',
      /1931 stands in none/,
    ],
    ['a figure of another row', 'The SPU of Aldwick in 2021 was 31% [1].', 'contradicted', /14%/],
    ['a figure of another year', 'The SPU of Aldwick in 2021 was 12% [1].', 'contradicted', /14%/],
    ['a number of a passage it does not cite', `${boarding} [4].`, 'unsupported', /stands in none/],
  ])('are not supported by a model alone: %s', async (_, text, verdict, reason) => {
    model.server().script('check-claims', gullible)
    const [claim] = await checked(text)
    expect(claim).toMatchObject({ verdict, reason: expect.stringMatching(reason) })
    expect(claim).not.toHaveProperty('confidence')
  })

  it('may state what was worked out, which is worked out anew and asked of no model', async () => {
    model.server().script('check-claims', gullible)
    const inputs = [
      { name: 'a', value: 12, passageId: dwellTime.id },
      { name: 'b', value: 4, passageId: dwellTime.id },
    ]
    const text = 'Aldwick and Brenholm have 16 cranes together [2].'
    expect(await verdicts(text)).toEqual(['unsupported'])
    expect(await verdicts(text, [{ what: 'Cranes together', formula: 'a + b', inputs, result: 16 }])).toEqual([
      'supported',
    ])
    expect(model.sent()).toHaveLength(1)
    await checked('Pilots guide ships [3].', [{ what: 'Cranes together', formula: 'a + b', inputs, result: 16 }])
    expect(
      await verdicts(text.replace('16', '17'), [{ what: 'Cranes together', formula: 'a + b', inputs, result: 17 }]),
    ).toEqual(['contradicted'])
    expect(model.sent()).toHaveLength(2)
  })

  it('that say something is not reported are held against everything that was read', async () => {
    model
      .server()
      .script('check-claims', answer.json({ claims: [judgement(1, { verdict: 'contradicted', passage: 3 })] }))
    expect(await checked('The colour of the pilot boats is not reported [1].')).toMatchObject([
      { verdict: 'contradicted', passageId: 'pilots' },
    ])
    expect(passages()[0]).toEqual(harbours.map(({ text }) => text))
    expect(model.shown()[0]?.task).toMatch(/not reported/)
  })

  it('that tell something beside what is not reported are held to it', async () => {
    model.server().script('check-claims', gullible)
    const said = (text: string) => verdicts(`${text} [3].`)
    expect(await said('Boarding lasts 20–30 minutes, and its cost is not reported')).toEqual(['supported'])
    expect(await said('Boarding lasts 45 minutes, and its cost is not reported')).toEqual(['unsupported'])
    expect(await said('What pilots earned in 2009 is not reported')).toEqual(['supported'])
  })

  it('are asked for again where one was left out or judged twice; then they are unsupported', async () => {
    const text = 'Pilots guide ships [3]. Ships have pilots [3].'
    const left = answer.json({ claims: [judgement(1), judgement(1), judgement(7)] })
    model.server().script('check-claims', left, answer.json({ claims: [judgement(2), judgement(1)] }))
    expect(await verdicts(text)).toEqual(['supported', 'supported'])
    model.server().script('check-claims', left)
    expect(await verdicts(text)).toEqual(['unsupported', 'unsupported'])
    expect(model.sent()).toHaveLength(4)
  })

  it('name no passage that was not given', async () => {
    model.server().script('check-claims', answer.json({ claims: [judgement(1, { passage: 4 })] }))
    expect(await checked('Pilots guide ships [3].')).toMatchObject([{ verdict: 'supported', passageId: 'pilots' }])
    model
      .server()
      .script('check-claims', answer.json({ claims: [judgement(1, { verdict: 'unsupported', passage: 4 })] }))
    expect(await checked('Pilots guide ships [3].')).toMatchObject([{ verdict: 'unsupported', passageId: null }])
  })

  it('cannot be called style by a model', async () => {
    model.server().script('check-claims', answer.json({ claims: [judgement(1, { kind: 'style' })] }))
    await expect(checked('Pilots guide ships [3].')).rejects.toMatchObject({ code: 'model.malformed' })
  })

  it('are unsupported where the model refuses, and the others still stand', async () => {
    model.server().script('check-claims', gullible)
    model.server().script(/Maria Lund/, answer.refused('Not this.'))
    const claims = await checked(`The first quay is old [4]. Ships use power from land [1].`)
    expect(claims).toMatchObject([
      { verdict: 'unsupported', reason: 'The model refused to check it: Not this.' },
      { verdict: 'supported', passageId: shorePower.id },
    ])
  })
})
