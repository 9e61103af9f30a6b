import { answer } from '@plumbline/testing/model-server/answer'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../skill/fixtures.spec'
import { planContract } from './plan.contract'
import { llmPlan } from './plan.llm'
import { offlinePlan } from './plan.offline'

planContract('offline', () => offlinePlan)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const plan = async (question: string, maxSteps = 12) =>
  (await offlinePlan({ question, collections: [], maxSteps, queries: 2 }, call)).steps

describe('offline plan', () => {
  it.each([
    ['Who wrote Peer Gynt, and when was it first staged?', ['Who wrote Peer Gynt', 'when was it first staged?']],
    ['Where is Oslo? How big is it?', ['Where is Oslo?', 'How big is it?']],
    ['Wie hoch ist der Turm und wann wurde er gebaut?', ['Wie hoch ist der Turm', 'wann wurde er gebaut?']],
    ['Qui est Ibsen et où est-il né ?', ['Qui est Ibsen', 'où est-il né ?']],
    ['Compare the area of Oslo and Bergen.', ['the area of Oslo', 'the area of Bergen']],
    ['Compare the sales in 2019 with 2020.', ['the sales in 2019', 'the sales in 2020']],
  ])('gives each complete question its own step: %s', async (question, steps) =>
    expect((await plan(question)).map((step) => step.question)).toEqual(steps),
  )

  it.each([
    'What was the GDP of Norway in 2019, 2020 and 2021?',
    'What is the revenue of Marks and Spencer?',
    'Which tools allow search and replace?',
    'Who is the mother of the director of Jaws?',
    'I moved in May. Do I get the allowance?',
    'Compare Oslo and Bergen.',
    'How many days do I get (and how many of those in May?)',
  ])('keeps as one step: %s', async (question) => expect(await plan(question)).toEqual([{ question, waitsFor: null }]))

  it('keeps one step if there are more questions than allowed steps', async () => {
    const question = 'Who wrote it? Who sang it? Who heard it?'
    expect(await plan(question, 2)).toEqual([{ question, waitsFor: null }])
    expect(await plan(question, 3)).toHaveLength(3)
  })
})

const model = useModel()
const question = 'Where was the director of Jaws born?'
const collections = [{ name: 'films', description: 'Filme und ihre Macher.' }]
const planned = (maxSteps = 4, queries = 1) =>
  llmPlan(model.chat)({ question, collections, maxSteps, queries }, callWith())
type Said = [string, number | null, ...string[]]
const said = (...steps: Said[]) =>
  answer.json({
    logic: 'One leads to the other.',
    steps: steps.map(([text, waitsFor, ...queries]) => ({ question: text, waitsFor, queries })),
  })
const director: Said = ['Who directed Jaws?', null, 'Regie Der weiße Hai', 'who directed jaws', 'Jaws crew']
const whole = { steps: [{ question, waitsFor: null }] }

describe('plan by a model', () => {
  it('returns steps with their queries, and shows the model the collections', async () => {
    model.server().script('plan', said(director, ['Where was #1 born?', 1, 'birthplace']))
    expect(await planned()).toEqual({
      logic: 'One leads to the other.',
      steps: [
        { question: 'Who directed Jaws?', waitsFor: null, queries: ['Regie Der weiße Hai'] },
        { question: 'Where was #1 born?', waitsFor: 1 },
      ],
    })
    expect(model.shown()[0]).toMatchObject({
      task: expect.stringMatching(/ Plan the question in at most 4 steps, each that does not wait with 1 query\.$/),
      all: [
        { name: 'collection', text: 'films\nFilme und ihre Macher.' },
        { name: 'question', text: question },
      ],
    })
  })

  it.each<[string, Said[]]>([
    ['no step', []],
    ['an empty step', [director, [' ', null]]],
    ['a placeholder without a wait', [director, ['Where was #1 born?', null]]],
    ['a wait without a placeholder', [director, ['Where was he born?', 1]]],
    ['a wait for itself', [director, ['Where was #2 born?', 2]]],
    ['a placeholder of another step', [director, director, ['Where was #2 born?', 1]]],
    ['a wait for no earlier step', [['Where was #0 born?', 0]]],
  ])('repairs a plan with %s once, and otherwise keeps the question as one step', async (_, steps) => {
    model.server().script('plan', said(...steps), said(director, ['Where was #1 born?', 1]))
    expect((await planned()).steps).toHaveLength(2)
    expect(model.sent()).toHaveLength(2)
    model.server().script('plan', said(...steps))
    expect(await planned()).toMatchObject(whole)
    expect(model.sent()).toHaveLength(4)
  })

  it('names given lookups for each step, and asks for them only if there are any', async () => {
    const lookups = ['births', 'films'].map((name) => ({ name, description: `All ${name}.`, params: [] }))
    const steps = [
      { question: 'Who directed Jaws?', waitsFor: null, queries: [], lookups: [] },
      { question: 'Where was #1 born?', waitsFor: 1, queries: [], lookups: ['births', 'secrets'] },
    ]
    model.server().script('plan', answer.json({ logic: 'So.', steps }))
    const asked = (given: typeof lookups) =>
      llmPlan(model.chat)({ question, collections, maxSteps: 4, queries: 1, lookups: given }, callWith())
    expect((await asked(lookups)).steps.map((step) => step.lookups)).toEqual([[], ['births']])
    expect(model.shown()[0]?.one('lookups')).toBe('- births: All births.\n- films: All films.')
    expect((await asked([])).steps.map((step) => step.lookups)).toEqual([undefined, undefined])
    const schemas = model
      .server()
      .calls('chat')
      .map(({ body }) => JSON.stringify(body).includes('"lookups"'))
    expect(schemas).toEqual([true, false])
  })

  it('drops surplus steps after the repair', async () => {
    model.server().script('plan', said(director, ['Where was #1 born?', 1], ['Who lives in #2?', 2]))
    expect((await planned(2)).steps).toHaveLength(2)
  })

  it('keeps a single step in the words of the question, with its queries', async () => {
    model.server().script('plan', said(['Birthplace of the director of Jaws?', null, 'Jaws director birthplace town']))
    expect((await planned()).steps).toEqual([{ ...whole.steps[0], queries: ['Jaws director birthplace town'] }])
  })

  it('keeps the question as one step if the model refuses or only one step is allowed', async () => {
    model.server().script('plan', answer.refused('Not this.'))
    expect(await planned()).toMatchObject({ ...whole, logic: expect.stringContaining('Not this.') })
    expect(await planned(1)).toMatchObject(whole)
    expect(model.sent()).toHaveLength(1)
  })
})
