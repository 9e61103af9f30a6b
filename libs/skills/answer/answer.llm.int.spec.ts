import type { Claim, Evidence, Grade, ModelCall } from '@plumbline/contracts'
import { answer } from '@plumbline/testing/model-server'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../asking/scripted.spec'
import { dwellTime, harbours, history, pilots, shorePower } from '../eval/harbours'
import type { Answer } from './answer'
import { llmAnswer } from './answer.llm'

const model = useModel()
const question = 'How long does boarding last?'
const answered = (fields: Partial<Parameters<Answer>[0]> = {}, evidence: Evidence[] = harbours) =>
  llmAnswer(model.chat)(
    { question, steps: [{ question, passageIds: [] }], evidence, maxSentences: 4, ...fields },
    callWith(),
  )
const says = (...texts: string[]): void => model.server().script(() => true, ...texts)
const boarding = 'Boarding lasts 20–30 minutes in calm weather [3].'
const grade = (level: Grade['level'], more: Partial<Grade> = {}): Grade => ({
  relevant: true,
  level,
  confidence: 0.5,
  reason: '',
  ...more,
})

describe('an answer by a model', () => {
  it('sees the passages best first, with what their graders found', async () => {
    says('Boarding lasts 20–30 minutes [1].')
    const evidence = [
      { ...shorePower, grade: grade('low') },
      { ...history, grade: grade('high', { date: '1874', outdated: true, authority: 'low' }) },
      { ...pilots, grade: grade('high', { confidence: 0.9 }) },
      dwellTime,
    ]
    expect((await answered({}, evidence)).citations).toEqual([{ n: 1, passageId: 'pilots' }])
    const [shown] = model.shown()
    expect(shown?.one('passage 1')).toMatch(/^Graded: relevance high\n.*\n.*\n\nA harbour pilot/)
    expect(shown?.one('passage 2')).toMatch(/^Graded: relevance high, authority low, of 1874, outdated\n/)
    expect(shown?.one('passage 4')).toMatch(/^Document: /)
    expect(shown?.task).toBe('Answer the question in at most 4 sentences.')
  })

  it('has citations that are missing put right, once, and leaves what is still missing for the check', async () => {
    says('Boarding takes a while. It lasts 30 minutes [9].', boarding)
    expect((await answered()).text).toBe('Boarding lasts 20–30 minutes in calm weather [1].')
    expect(model.sent()[1]?.at(-1)?.content).toMatch(/cited by sentences 1, 2\./)
    says('Boarding takes a while.')
    expect(await answered()).toEqual({ text: 'Boarding takes a while.', citations: [] })
    expect(model.sent()).toHaveLength(4)
  })

  it('keeps what stood word for word, whatever the model makes of it', async () => {
    const keep = ['The first quay of Aldwick was built in 1874 by the engineer Maria Lund.']
    says(`The first quay of Aldwick was built in 1874 by the engineer Maria Lund [4]. ${boarding}`)
    const { text } = await answered({ keep, maxSentences: 3 })
    expect(text).toBe(
      'The first quay of Aldwick was built in 1874 by the engineer Maria Lund [1]. Boarding lasts 20–30 minutes in calm weather [2].',
    )
    expect(model.shown()[0]?.one('beginning')).toBe(keep[0])
    expect(model.shown()[0]?.task).toContain('at most 2 sentences')
  })

  it('is told what did not stand, what the reviewer asks for and what was worked out', async () => {
    says(`${boarding} Aldwick has 90 cranes [2].`)
    const avoid: Claim[] = [
      {
        text: 'Aldwick has 90 cranes.',
        kind: 'number',
        verdict: 'contradicted',
        reason: 'It says 12.',
        passageId: null,
      },
    ]
    const workings = [
      {
        what: 'Twice the cranes',
        formula: 'cranes * 2',
        inputs: [{ name: 'cranes', value: 12, passageId: dwellTime.id }],
        result: 24,
      },
    ]
    const steps = [
      { question: 'One?', passageIds: [pilots.id, history.id] },
      { question: 'Two?', passageIds: [] },
    ]
    expect((await answered({ avoid, workings, steps, guidance: 'Name the weather.' })).text).toBe(
      'Boarding lasts 20–30 minutes in calm weather [1].',
    )
    const [shown] = model.shown()
    expect(shown?.one('did not stand')).toBe('- Aldwick has 90 cranes. (It says 12.)')
    expect(shown?.one('guidance')).toBe('Name the weather.')
    expect(shown?.one('workings')).toBe('- Twice the cranes: 12 × 2 = 24 (from [2])')
    expect(shown?.one('steps')).toBe('- One? (passages 3, 4)\n- Two? (no passages)')
  })

  it('that can only say again what did not stand is asked once more, then written offline, and told so', async () => {
    const avoid: Claim[] = [
      {
        text: 'Boarding lasts 90 minutes.',
        kind: 'number',
        verdict: 'contradicted',
        reason: 'It says 20–30.',
        passageId: null,
      },
    ]
    says('Boarding lasts 90 minutes [3].')
    const told: ModelCall[] = []
    const call = callWith({ onCall: (each) => void told.push(each) })
    const { text } = await llmAnswer(model.chat)(
      { question, steps: [], evidence: harbours, maxSentences: 2, avoid },
      call,
    )
    expect(text).toContain('20–30 minutes')
    expect(told.map(({ model: by, insteadBy }) => [by, insteadBy])).toEqual([
      ['gpt-4.1', undefined],
      ['gpt-4.1', undefined],
      ['offline', 'offline'],
    ])
  })

  it('keeps to its number of sentences', async () => {
    says('One [1]. Two [1]. Three [1]. Four [1]. Five [1]. Six [1].')
    expect((await answered({ maxSentences: 3 })).text).toBe('One [1]. Two [1]. Three [1].')
  })

  it('streams what it returns, and repairs nothing that was seen', async () => {
    says(`Boarding takes a while. ${boarding} It ends [8].`)
    let told = ''
    const { text } = await answered({ onDelta: (piece) => (told += piece) })
    expect(told).toBe(text)
    expect(text).toBe('Boarding takes a while. Boarding lasts 20–30 minutes in calm weather [1]. It ends.')
    expect(model.sent()).toHaveLength(1)
  })

  it('may be written from each passage by itself, the best of it put together', async () => {
    model.server().script(/ladder/, 'Boarding lasts 20–30 minutes [1].')
    model.server().script(/Maria Lund/, 'The first quay was built in 1874 [1][2].')
    model.server().script(/Cranes/, 'How long boarding lasts is not reported in the documents [1].')
    const { text, citations } = await answered({ perPassage: true }, [dwellTime, history, pilots])
    expect(text).toBe('The first quay was built in 1874 [1]. Boarding lasts 20–30 minutes [2].')
    expect(citations.map(({ passageId }) => passageId)).toEqual(['history', 'pilots'])
    expect(model.shown().map(({ all }) => all.filter(({ name }) => name.startsWith('passage')).length)).toEqual([
      1, 1, 1,
    ])
    expect((await answered({ perPassage: true }, [dwellTime])).text).toBe(
      'How long boarding lasts is not reported in the documents [1].',
    )
  })

  it('may be refused', async () => {
    model.server().script(() => true, answer.refused('Not this.'))
    expect(await answered()).toEqual({ text: '', citations: [], refused: 'Not this.' })
    expect(await answered({ perPassage: true })).toEqual({ text: '', citations: [], refused: 'Not this.' })
  })

  it('needs no model where there is nothing to answer from, or no room for more', async () => {
    expect(await answered({ keep: ['Ships have pilots.'], maxSentences: 1 })).toEqual({
      text: 'Ships have pilots [1].',
      citations: [{ n: 1, passageId: 'pilots' }],
    })
    expect((await answered({}, [])).citations).toEqual([])
    expect(model.sent()).toEqual([])
  })
})
