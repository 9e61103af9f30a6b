import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { chatOverHttp } from '@plumbline/testing/chat-over-http'
import { answer, startModelServer } from '@plumbline/testing/model-server'
import type { ModelServer } from '@plumbline/testing/model-server'
import { dwellTime, harbours } from '../eval/harbours'
import { llmCompute } from './compute.llm'

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
let server: ModelServer
beforeAll(async () => void (server = await startModelServer()))
afterEach(() => server.reset())
afterAll(() => server.close())

const input = (name: string, value: number, passage: number | null) => ({ name, value, unit: null, passage })
const cranes = {
  what: 'Cranes of Aldwick and Brenholm',
  formula: 'a + b',
  unit: null,
  inputs: [input('a', 12, 2), input('b', 4, 2)],
}
const question = 'How many cranes do Aldwick and Brenholm have in total?'
const compute = (asked = question) =>
  llmCompute(() => chatOverHttp(server.openaiUrl))({ question: asked, evidence: harbours }, call)

describe('compute by a model', () => {
  it('works out what the model set up, from the passages it names', async () => {
    server.script('compute', answer.json({ formulas: [cranes] }))
    expect(await compute()).toEqual([
      {
        what: cranes.what,
        formula: 'a + b',
        result: 16,
        inputs: [
          { name: 'a', value: 12, passageId: dwellTime.id },
          { name: 'b', value: 4, passageId: dwellTime.id },
        ],
      },
    ])
  })

  it.each([
    [
      'an input that stands nowhere',
      { ...cranes, inputs: [input('a', 12, 2), input('b', 5_000, 2)] },
      /b = 5,000 does not stand in the passage/,
    ],
    [
      'a passage that was not given',
      { ...cranes, inputs: [input('a', 12, 9), input('b', 4, 2)] },
      /a = 12 does not stand/,
    ],
    ['a number of its own', { ...cranes, formula: 'a + b + 333' }, /formula holds 333/],
    ['a formula that is code', { ...cranes, formula: 'process.exit(1)' }, /cannot be read/],
    ['a name without a value', { ...cranes, formula: 'a + c' }, /“c” is not among the inputs/],
  ])('is shown once what is wrong, and then left out: %s', async (_, formula, said) => {
    server.script('compute', answer.json({ formulas: [formula] }))
    expect(await compute()).toEqual([])
    expect(server.calls('chat')).toHaveLength(2)
    expect(JSON.stringify(server.calls('chat')[1]?.body)).toMatch(said)
  })

  it('takes what was put right', async () => {
    server.script(
      'compute',
      answer.json({ formulas: [{ ...cranes, formula: 'a + c' }] }),
      answer.json({ formulas: [cranes] }),
    )
    expect(await compute()).toMatchObject([{ result: 16 }])
  })

  it('asks no model where nothing is to be worked out', async () => {
    expect(await compute('Who built the first quay of Aldwick?')).toEqual([])
    expect(server.requests).toHaveLength(0)
  })

  it('works out nothing where the model refuses', async () => {
    server.script('compute', answer.refused('I would rather not.'))
    expect(await compute()).toEqual([])
  })
})
