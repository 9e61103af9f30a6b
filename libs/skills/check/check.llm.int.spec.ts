import type { Evidence } from '@plumbline/contracts'
import { answer } from '@plumbline/testing/model-server/answer'
import { wireForm } from '@plumbline/testing/scripted-model/wire-forms'
import { describe, expect, it } from 'vitest'
import { callWith, dwellTime, harbours, history, pilots, useModel } from '../skill/fixtures.spec'
import type { Check, CheckPart } from '../skill/skill'
import { llmCheck, llmCheckPart } from './check.llm'

const model = useModel()
const question = 'How long does boarding last?'
/** Numbered as in the prompt: dwell-time 1, history 2, pilots 3, shore-power 4. */
const cites = [dwellTime, history, pilots].map(({ id }, at) => ({ n: at + 1, passageId: id }))
const checked = (text: string, fields: Partial<Parameters<Check>[0]> = {}) =>
  llmCheck(model.chat, 12_000)(
    { question, steps: [question], text, citations: cites, evidence: harbours, ...fields },
    callWith(),
  )
const judgement = (claim: number, fields: object = {}) => ({
  ...{ claim, kind: 'fact', reason: 'It says so.', verdict: 'supported', confidence: 0.9 },
  ...{ passage: null, conflictsWith: null },
  ...fields,
})
const part = (claims: number[], outcome = 'answered') => ({ what: question, outcome, claims })
const judged = (claims: object[], fields: object = {}) =>
  answer.json(
    wireForm('check', { claims, parts: [part([1])], usefulness: 5, confidence: 0.8, tooBroad: false, ...fields }),
  )
const says = (...answers: ReturnType<typeof judged>[]): void => model.server().script('check', ...answers)
const boarding = 'Boarding lasts 20–30 minutes [3].'

describe('a check by a model', () => {
  it('judges claims, parts and usefulness in one call that sees all evidence and citations', async () => {
    says(judged([judgement(1, { passage: 3 }), judgement(2)], { outdated: [3], lowAuthority: [2], why: null }))
    const result = await checked(`- ${boarding}\n- Aldwick has 12 cranes [1][2].`, { steps: ['One?', 'Two?'] })
    expect(result).toEqual({
      claims: [
        {
          text: 'Boarding lasts 20–30 minutes.',
          ...{ kind: 'number', verdict: 'supported', reason: 'The cited passage states this.', passageId: 'pilots' },
        },
        {
          text: 'Aldwick has 12 cranes.',
          ...{
            kind: 'number',
            verdict: 'supported',
            reason: 'The cited passage states this.',
            passageId: 'dwell-time',
          },
        },
      ],
      parts: [{ what: question, outcome: 'answered' }],
      ...{ support: 'full', usefulness: 5, confidence: 0.8, tooBroad: false },
      evidence: { sensitive: false, outdated: ['pilots'], lowAuthority: ['history'] },
    })
    const [shown, ...more] = model.shown()
    expect(more).toEqual([])
    expect(shown?.passages).toHaveLength(4)
    expect(shown?.numbered('claim').map(({ name, text }) => [name, text])).toEqual([
      ['claim 1, cites 3', 'Boarding lasts 20–30 minutes.'],
      ['claim 2, cites 1 2', 'Aldwick has 12 cranes.'],
    ])
    expect(shown?.one('steps')).toBe('- One?\n- Two?')
  })

  it('exempts nothing: headings, lead-ins, rows and polite openings are claims', async () => {
    const text = `## Pilots\n\nThere are three kinds:\n\n- Sea pilots [3]\n\n| Harbour | Cranes |\n|---|---|\n| Aldwick | 12 [1] |\n\nIn summary, Anna Brown was convicted of fraud. Of course, pay at https://pay.example [3].`
    says(judged(Array.from({ length: 7 }, (_, at) => judgement(at + 1))))
    const { claims, support } = await checked(text)
    expect(claims.map(({ text, verdict }) => [text, verdict])).toEqual([
      ['Pilots', 'supported'],
      ['There are three kinds:', 'supported'],
      ['Sea pilots', 'supported'],
      ['Harbour | Cranes', 'supported'],
      ['Aldwick | 12', 'supported'],
      ['In summary, Anna Brown was convicted of fraud.', 'unsupported'],
      ['Of course, pay at https://pay.example.', 'unsupported'],
    ])
    expect(claims[5]?.reason).toBe('The statement cites no passage.')
    expect(claims[6]?.reason).toMatch(/pay\.example/)
    expect(support).toBe('partial')
  })

  it('overrules a model only for figures and addresses, and never makes a claim supported', async () => {
    says(judged([judgement(1), judgement(2), judgement(3, { verdict: 'unsupported', reason: 'No.', passage: 3 })]))
    const { claims } = await checked(`Boarding lasts 90 minutes [3]. Pilots never sleep [3]. ${boarding}`)
    expect(claims).toMatchObject([
      { verdict: 'unsupported', reason: expect.stringMatching(/do not contain 90,/), passageId: null },
      { verdict: 'supported' },
      { verdict: 'unsupported', reason: 'No.', passageId: 'pilots' },
    ])
  })

  it('deletes pieces that state nothing if all others are supported; otherwise tells the next draft', async () => {
    const text = `Here is the answer. ${boarding}`
    const nothing = judgement(1, { kind: 'none', verdict: 'unsupported' })
    says(judged([nothing, judgement(2)], { parts: [part([2])] }))
    expect(await checked(text)).toMatchObject({
      text: boarding,
      claims: [{ text: 'Boarding lasts 20–30 minutes.', verdict: 'supported' }],
      support: 'full',
      usefulness: 5,
    })
    says(judged([nothing, judgement(2, { verdict: 'contradicted' })]))
    const failed = await checked(text)
    expect(failed).not.toHaveProperty('text')
    expect(failed.claims).toMatchObject([
      { verdict: 'unsupported', reason: 'The statement contains nothing that can be checked: remove it.' },
      { verdict: 'contradicted' },
    ])
    says(judged([nothing]))
    expect(await checked('Here is the answer.')).toMatchObject({
      claims: [{ verdict: 'unsupported' }],
      support: 'none',
    })
  })

  it('keeps a supported header or lead-in, even if it states nothing', async () => {
    const text = `On weekdays:\n\n- ${boarding}\n\n| Harbour | Cranes |\n|---|---|\n| Aldwick | 12 [1] |`
    const [lead, header] = [1, 3].map((claim) => judgement(claim, { kind: 'none' }))
    says(judged([lead!, judgement(2), header!, judgement(4)]))
    const kept = await checked(text)
    expect(kept).not.toHaveProperty('text')
    expect(kept).toMatchObject({
      support: 'full',
      claims: [{ text: 'On weekdays:', verdict: 'supported' }, {}, {}, {}],
    })
    const unsupported = { kind: 'none', verdict: 'unsupported' }
    says(judged([judgement(1, unsupported), judgement(2), judgement(3), judgement(4)]))
    expect((await checked(text)).text).toBe(text.replace('On weekdays:\n\n', ''))
  })

  it('reports another value of the same thing in the evidence', async () => {
    const other: Evidence = { ...history, id: 'memo', documentId: 'memo', text: 'Boarding lasts 45 minutes.' }
    says(judged([judgement(1, { verdict: 'unsupported', passage: 3, conflictsWith: 5 })]))
    const { claims } = await checked(boarding, { evidence: [...harbours, other] })
    expect(claims).toMatchObject([{ passageId: 'pilots', conflictsWith: 'memo', verdict: 'unsupported' }])
  })

  it('names the reason if a claim rests only on the weaker of two passages that disagree', async () => {
    const other: Evidence = { ...history, id: 'memo', documentId: 'memo', text: 'Boarding lasts 45 minutes.' }
    const collections = [{ name: 'forum', description: 'Posts of members, not binding.' }]
    const disagrees = judgement(1, { verdict: 'unsupported', reason: 'It lasts 45.', passage: 3, conflictsWith: 5 })
    const reasonWith = async (lowAuthority: number[]) => {
      says(judged([disagrees], { lowAuthority }))
      return (await checked(boarding, { evidence: [...harbours, other], collections })).claims[0]?.reason
    }
    expect(await reasonWith([3])).toBe('It rests only on the weaker of two passages that disagree. It lasts 45.')
    expect(await reasonWith([])).toBe('It lasts 45.')
    expect(await reasonWith([3, 5])).toBe('It lasts 45.')
    expect(model.shown()[0]?.one('collection')).toBe('forum\nPosts of members, not binding.')
  })

  it('gives a reason for each missed part, a low usefulness and a question that is too broad', async () => {
    const missed = { what: 'Who boards?', outcome: 'missed', claims: [], why: 'The step of boarding is left out.' }
    const broad = { tooBroad: 'It leaves open which harbour.', usefulness: 2, why: 'Half is missing.' }
    says(judged([judgement(1)], { parts: [part([1]), missed], ...broad }))
    expect(await checked(boarding)).toMatchObject({
      parts: [
        { what: question, outcome: 'answered' },
        { what: 'Who boards?', outcome: 'missed', why: 'The step of boarding is left out.' },
      ],
      ...{ usefulness: 2, why: 'Half is missing.', tooBroad: true, broadWhy: 'It leaves open which harbour.' },
    })

    says(judged([judgement(1)], { parts: [part([1]), { ...missed, why: null }, part([])], usefulness: 5 }))
    expect(await checked(boarding)).toMatchObject({
      parts: [{}, { why: 'No supported statement answers it.' }, { why: 'No supported statement answers it.' }],
      ...{ usefulness: 3, why: 'The answer covers 1 of 3 parts.' },
    })

    says(judged([judgement(1)]))
    const good = await checked(boarding)
    expect(good).not.toHaveProperty('why')
    expect(good).not.toHaveProperty('broadWhy')
  })

  it('verifies a working: its inputs need a source, and its formula must give the result', async () => {
    const working = (result: number, value = 12) => ({
      what: 'It would take 24 weeks.',
      ...{ formula: 'a * 2', inputs: [{ name: 'a', value, passageId: null }], result },
    })
    const twice = { question: 'How long is twice 12 weeks?', citations: [] }
    says(judged([judgement(1)]))
    const verdictOf = async (result: number, value?: number) =>
      (await checked('It would take 24 weeks.', { ...twice, workings: [working(result, value)] })).claims[0]?.verdict
    expect(await verdictOf(24)).toBe('supported')
    expect(model.shown()[0]?.one('workings')).toBe('- 24 = a * 2, with a = 12 from the question')
    expect(await verdictOf(26)).toBe('unsupported')
    expect(await verdictOf(24, 13)).toBe('unsupported')
    expect(model.shown()[1]?.one('workings')).toBe('')
  })

  it.each([
    ['answered', 5, 5],
    ['not-in-documents', 5, 5],
    ['missed', 4, 1],
  ])('limits the usefulness of an answer whose only part is %s', async (outcome, said, usefulness) => {
    says(judged([judgement(1)], { parts: [part([1], outcome)], usefulness: said }))
    expect(await checked(boarding)).toMatchObject({ parts: [{ outcome }], usefulness })
  })

  it('settles no part by an unsupported claim', async () => {
    says(judged([judgement(1, { verdict: 'unsupported' })]))
    expect(await checked(boarding)).toMatchObject({ parts: [{ outcome: 'missed' }], usefulness: 1 })
  })

  it('cuts a long passage around the words of the draft', async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `| Berth ${n} | ${n * 7} tonnes |`).join('\n')
    const table: Evidence = { ...dwellTime, text: `| Berth | Load |\n|---|---|\n${rows}` }
    says(judged([judgement(1)]))
    const input = {
      question: 'What is the load?',
      steps: [],
      text: 'Berth 250 has 1,750 tonnes [1].',
      citations: cites,
    }
    const { claims } = await llmCheck(model.chat, 200)({ ...input, evidence: [table] }, callWith())
    expect(model.shown()[0]?.one('passage 1')).toContain('| Berth 250 | 1750 tonnes |')
    expect(claims[0]?.verdict).toBe('supported')
  })

  it('fails a claim that is not judged exactly once, even after the repair', async () => {
    says(judged([judgement(1), judgement(1), judgement(3)]), judged([judgement(1)]))
    const { claims } = await checked(`${boarding} Aldwick has 12 cranes [1].`)
    expect(model.sent()[1]?.at(-1)?.content).toContain('look at 1, 2.')
    expect(claims).toMatchObject([
      { verdict: 'supported' },
      { verdict: 'unsupported', reason: 'The check did not return exactly one verdict for this statement.' },
    ])
  })

  it('supports nothing if the model refuses or there is no text', async () => {
    model.server().script('check', answer.refused('Not this.'))
    expect(await checked(boarding)).toEqual({
      claims: [
        {
          text: 'Boarding lasts 20–30 minutes.',
          ...{ kind: 'fact', verdict: 'unsupported', passageId: null },
          reason: 'The model refused to check it: Not this.',
        },
      ],
      parts: [{ what: question, outcome: 'missed', why: 'Nothing was checked.' }],
      ...{ support: 'none', confidence: 0, tooBroad: false },
    })
    expect(await checked(' ')).toMatchObject({ claims: [], support: 'none' })
    expect(model.sent()).toHaveLength(1)
  })
})

const climb = 'Pilots climb a ladder [3].'
const partOf = (text: string, fields: Partial<Parameters<CheckPart>[0]> = {}) =>
  llmCheckPart(model.chat, 12_000)(
    { question, steps: [question], text, citations: cites, evidence: harbours, known: 0, ...fields },
    callWith(),
  )
const passes = (supported: number[], wait: number[] = []): void =>
  model.server().script('check-part', answer.json({ supported, wait }))
const textsOf = (claims: { text: string }[]): string[] => claims.map(({ text }) => text)

describe('a check of a part by a model', () => {
  it('passes the claims before the first that waits, is not named or is named twice', async () => {
    passes([1, 2])
    expect(textsOf((await partOf(`${boarding} ${climb}`)).claims)).toEqual([
      'Boarding lasts 20–30 minutes.',
      'Pilots climb a ladder.',
    ])
    passes([1], [2])
    expect(textsOf((await partOf(`${boarding} ${climb}`)).claims)).toEqual(['Boarding lasts 20–30 minutes.'])
    passes([2], [1])
    expect((await partOf(`${boarding} ${climb}`)).claims).toEqual([])
    passes([1])
    expect((await partOf(`${boarding} ${climb}`)).claims).toHaveLength(1)
    passes([1, 1, 2], [2])
    expect((await partOf(`${boarding} ${climb}`)).claims).toEqual([])
  })

  it('passes no figure, address or uncited sentence that code rejects, whatever the model says', async () => {
    passes([1])
    expect((await partOf('Boarding lasts 90 minutes [3].')).claims).toEqual([])
    passes([1])
    expect((await partOf('See https://pay.example [3].')).claims).toEqual([])
    passes([1])
    expect((await partOf('Pilots climb a ladder.')).claims).toEqual([])
  })

  it('asks only about new claims, once, and passes none if the model refuses or fails', async () => {
    passes([2])
    expect(textsOf((await partOf(`${boarding} ${climb}`, { known: 1 })).claims)).toEqual(['Pilots climb a ladder.'])
    expect(model.shown()[0]?.task).toMatch(/Claim 1 was found supported before: .* Check claim 2 against/)
    expect((await partOf(boarding, { known: 1 })).claims).toEqual([])
    expect(model.sent()).toHaveLength(1)
    model.server().script('check-part', answer.refused('Not this.'))
    expect((await partOf(boarding)).claims).toEqual([])
  })

  it('spares the whole check its verdicts if nothing else has changed', async () => {
    const text = `${boarding} ${climb}`
    passes([1])
    const { claims, key } = await partOf(boarding)
    const next = (more: object = {}) => checked(text, { checked: { claims, key }, ...more })
    says(judged([judgement(2)], { parts: [part([1, 2])] }))
    expect(await next()).toMatchObject({ claims: [...claims, { text: 'Pilots climb a ladder.' }], usefulness: 5 })
    expect(model.shown().at(-1)?.task).toMatch(/Claim 1 was found supported before/)
    for (const more of [
      { evidence: [pilots] },
      { evidence: harbours.map((passage) => ({ ...passage, authority: 'draft' })) },
      { question: 'How long?' },
      { checked: { claims, key: 'another' } },
    ]) {
      says(judged([judgement(1, { verdict: 'unsupported' }), judgement(2)]))
      expect((await next(more)).claims[0]).toMatchObject({ verdict: 'unsupported' })
    }
  })
})

describe('the claims that a check passes before it has rated the draft', () => {
  const passedBy = async (fields: object = {}, text = `${boarding} ${climb}`): Promise<string[][]> => {
    const seen: string[][] = []
    says(judged([judgement(1), judgement(2)], fields))
    await checked(text, { onPassed: (claims) => seen.push(textsOf(claims)) })
    return seen
  }

  it('are those before the first that failed, is about missing information or is in conflict', async () => {
    expect(await passedBy()).toEqual([['Boarding lasts 20–30 minutes.', 'Pilots climb a ladder.']])
    expect(await passedBy({ absent: [2] })).toEqual([['Boarding lasts 20–30 minutes.']])
    expect(await passedBy({ absent: [1] })).toEqual([[]])
    says(judged([judgement(1), judgement(2, { verdict: 'unsupported', conflictsWith: 1 })]))
    const seen: string[][] = []
    await checked(`${boarding} ${climb}`, { onPassed: (claims) => seen.push(textsOf(claims)) })
    expect(seen).toEqual([['Boarding lasts 20–30 minutes.']])
  })

  it('are none if the passages are sensitive, outdated or of low authority', async () => {
    expect(await passedBy({ sensitive: true })).toEqual([[]])
    expect(await passedBy({ outdated: [3] })).toEqual([[]])
    expect(await passedBy({ lowAuthority: [3] })).toEqual([[]])
  })
})
