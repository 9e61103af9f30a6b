import { describe, expect, it } from 'vitest'
import { planContract } from './plan.contract'
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
  ])('gives each whole question its step: %s', async (question, steps) =>
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
  ])('keeps as one: %s', async (question) => expect(await plan(question)).toEqual([{ question, waitsFor: null }]))

  it('keeps more questions than steps are allowed as one', async () => {
    const question = 'Who wrote it? Who sang it? Who heard it?'
    expect(await plan(question, 2)).toEqual([{ question, waitsFor: null }])
    expect(await plan(question, 3)).toHaveLength(3)
  })
})
