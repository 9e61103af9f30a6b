import { answer } from '@plumbline/testing/model-server'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../asking/scripted.spec'
import type { Route } from './route'
import { llmRoute } from './route.llm'

const model = useModel()
const collections = [
  { name: 'planets', description: 'Mass and moons.' },
  { name: 'tides', description: 'Tide tables.' },
]
const routed = (fields: Partial<Parameters<Route>[0]> = {}) =>
  llmRoute(model.chat)({ question: 'How heavy is Mars?', collections, webOn: false, ...fields }, callWith())
const said = (fields: object = {}) =>
  answer.json({ logic: 'It is about planets.', to: 'research', collections: ['planets'], simple: true, ...fields })

const ends = (): unknown => {
  const body = model.server().calls('chat').at(-1)?.body as {
    response_format: { json_schema: { schema: { properties: { to: { enum: unknown } } } } }
  }
  return body.response_format.json_schema.schema.properties.to.enum
}

describe('route by a model', () => {
  it('offers each way of routing its own ends', async () => {
    model.server().script(() => true, said())
    const thread = { question: 'Which is red?', text: 'Mars [1].' }
    const offered = async (fields: Partial<Parameters<Route>[0]>) => {
      await routed(fields)
      return ends()
    }
    expect(await offered({})).toEqual(['research', 'clarify', 'reply', 'decline'])
    expect(await offered({ webOn: true })).toEqual(['research', 'web', 'clarify', 'reply', 'decline'])
    expect(await offered({ mode: 'index-or-web' })).toEqual(['research', 'web'])
    expect(await offered({ mode: 'retrieve-or-not' })).toEqual(['research', 'reply'])
    expect(await offered({ mode: 'retrieve-or-not', thread })).toEqual(['research', 'reply', 'continue'])
    expect(new Set(model.systems()).size).toBe(3)
    expect(model.shown().map((shown) => shown.one('last answer'))).toEqual(['', '', '', '', 'Mars [1].'])
  })

  it('shows the collections and the question as quotes, and nothing of them as instructions', async () => {
    model.server().script('route', said())
    expect(await routed()).toEqual({
      to: 'research',
      logic: 'It is about planets.',
      collections: ['planets'],
      simple: true,
    })
    expect(model.shown()[0]?.all.map(({ text }) => text)).toEqual([
      'planets\nMass and moons.',
      'tides\nTide tables.',
      'How heavy is Mars?',
    ])
    expect(model.systems()[0]).not.toMatch(/Mars|tide/i)
  })

  it('reads only collections it was shown; all of them where the model names none', async () => {
    model
      .server()
      .script(
        'route',
        said({ collections: ['secrets', 'tides'] }),
        said({ collections: ['secrets'] }),
        said({ to: 'decline' }),
      )
    expect((await routed()).collections).toEqual(['tides'])
    expect((await routed()).collections).toEqual(['planets', 'tides'])
    expect(await routed()).toEqual({ to: 'decline', logic: 'It is about planets.', collections: [] })
  })

  it('has an end that was not offered put right', async () => {
    model.server().script('route', said({ to: 'web' }), said({ to: 'decline' }))
    expect((await routed()).to).toBe('decline')
    expect(model.sent()[1]?.at(-1)?.content).toMatch(/to/)
  })

  it('declines what the model refuses, and says so', async () => {
    model.server().script('route', answer.refused('Not this.'))
    expect(await routed()).toEqual({ to: 'decline', logic: expect.stringContaining('Not this.'), collections: [] })
  })

  it('asks no model where there is nothing to choose from', async () => {
    expect(await routed({ collections: [] })).toMatchObject({ to: 'decline' })
    expect(model.sent()).toEqual([])
  })
})
