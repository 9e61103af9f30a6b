import { answer } from '@plumbline/testing/model-server'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../asking/scripted.spec'
import type { Route, Thread } from '../skill'
import { llmRoute } from './route.llm'

const model = useModel()
const collections = [
  { name: 'planets', description: 'Mass and moons.' },
  { name: 'tides', description: 'Gezeitentafeln.' },
]
const question = 'How heavy is Mars?'
const turn = { question: 'Which planet is red?', text: 'Mars is [1].' }
const thread: Thread = { turns: [turn], askedBack: false, hasPassages: true }
type Fields = Partial<Parameters<Route>[0]>
const routed = (fields: Fields = {}) =>
  llmRoute(model.chat)(
    { question, collections, webOn: false, mode: 'scope', queries: 2, knowledge: false, ...fields },
    callWith(),
  )
const said = (fields: object = {}) =>
  answer.json({
    ...{ logic: 'It is about planets.', to: 'research', question, summary: null, collections: ['planets'] },
    ...{ simple: true, queries: ['mass of Mars', 'Mars Masse'], title: null, knowledge: false },
    ...fields,
  })
const says = (...all: object[]): void => model.server().script(() => true, ...all.map(said))
const ends = (): unknown => {
  const body = model.server().calls('chat').at(-1)?.body as {
    response_format: { json_schema: { schema: { properties: { to: { enum: unknown } } } } }
  }
  return body.response_format.json_schema.schema.properties.to.enum
}

describe('route by a model', () => {
  it('offers each way of routing its own ends', async () => {
    says({})
    const offered = async (fields: Fields) => {
      await routed(fields)
      return ends()
    }
    const scope = ['research', 'summarise', 'clarify', 'reply', 'decline']
    expect(await offered({})).toEqual(scope)
    expect(await offered({ webOn: true })).toEqual([...scope, 'web'])
    expect(await offered({ mode: 'index-or-web' })).toEqual(['research', 'web'])
    expect(await offered({ mode: 'retrieve-or-not' })).toEqual(['research', 'reply'])
    expect(await offered({ mode: 'retrieve-or-not', thread })).toEqual(['research', 'reply', 'continue'])
    expect(new Set(model.systems()).size).toBe(3)
    expect(model.server().requests.map(({ name }) => name)).toEqual([
      ...['route', 'route', 'route-index-or-web', 'route-retrieve-or-not', 'route-retrieve-or-not'],
    ])
  })

  it('decides in one call what is searched, where and with which queries', async () => {
    says({ queries: ['Mars Masse', 'how heavy is mars?', 'Mars Masse', 'mass table', 'weight'] })
    expect(await routed()).toEqual({
      ...{ to: 'research', logic: 'It is about planets.', collections: ['planets'], simple: true },
      queries: ['Mars Masse', 'mass table'],
    })
    expect(await routed({ queries: 0 })).toMatchObject({ queries: ['Mars Masse'] })
    expect(model.shown()[0]?.all.map(({ text }) => text)).toEqual([
      ...['planets\nMass and moons.', 'tides\nGezeitentafeln.', question],
    ])
    expect(model.shown()[0]?.task).toMatch(/^Today is \d{4}-\d\d-\d\d\. Web search is off.*Write 2 queries/)
    expect(model.systems()[0]).not.toMatch(/Mars|tide/i)
    says({ simple: false })
    expect(await routed()).not.toHaveProperty('queries')
  })

  it('reads only collections it was shown; all of them where the model names none', async () => {
    says({ collections: ['secrets', 'tides'] }, { collections: ['secrets'] }, { to: 'decline' })
    expect((await routed()).collections).toEqual(['tides'])
    expect((await routed()).collections).toEqual(['planets', 'tides'])
    expect(await routed()).toEqual({ to: 'decline', logic: 'It is about planets.', collections: [] })
  })

  it('names the document that is to be summed up', async () => {
    says({ to: 'summarise', title: 'tide report' }, { to: 'summarise', title: null })
    expect(await routed()).toMatchObject({ to: 'summarise', title: 'tide report', collections: ['planets'] })
    expect(await routed()).toMatchObject({ title: question })
  })

  it('lets a reply tell what needs no document only where that is allowed', async () => {
    says({ to: 'reply', knowledge: true })
    expect(await routed({ knowledge: true })).toMatchObject({ knowledge: true })
    expect(await routed()).not.toHaveProperty('knowledge')
  })

  it('has an end that was not offered put right, and declines what the model refuses', async () => {
    says({ to: 'web' }, { to: 'decline' })
    expect((await routed()).to).toBe('decline')
    expect(model.sent()[1]?.at(-1)?.content).toMatch(/to/)
    model.server().script('route', answer.refused('Not this.'))
    expect(await routed()).toEqual({ to: 'decline', logic: expect.stringContaining('Not this.'), collections: [] })
  })
})

describe('a conversation', () => {
  it('makes the question stand alone, and nothing is glued to it', async () => {
    says({ question: 'How many moons has Mars?' })
    expect(await routed({ question: 'And how many moons?', thread })).toMatchObject({
      question: 'How many moons has Mars?',
    })
    expect(model.shown()[0]?.one('turn')).toBe('Asked: Which planet is red?\nAnswered: Mars is [1].')
    expect(model.shown()[0]?.one('question')).toBe('And how many moons?')
    expect(await routed({ question: 'And how many moons?' })).not.toHaveProperty('question')
    says({ question: 'And how many moons?' })
    expect(await routed({ question: 'And how many moons?', thread })).not.toHaveProperty('question')
  })

  it('tells the model of a question back, after which anything may come', async () => {
    says({ to: 'reply' })
    await routed({ question: 'Thanks!', thread: { ...thread, askedBack: true } })
    await routed({ thread })
    expect(model.shown().map(({ task }) => task.includes('a question back to the asker'))).toEqual([true, false])
  })

  it('shows the last turns inside a bound and the earlier ones in short, and has them summed up', async () => {
    const turns = Array.from({ length: 12 }, (_, n) => ({
      question: `Question ${n}?`,
      text: `Answer ${n}. `.repeat(80),
    }))
    says({ summary: null }, { summary: ' Planets were asked about. ' })
    const long: Thread = { ...thread, turns, summary: 'Before, stars.' }
    expect(await routed({ thread: long })).toMatchObject({ summary: 'Planets were asked about.' })
    expect(model.sent()[1]?.at(-1)?.content).toContain('The whole conversation is to be summed up.')
    const [shown] = model.shown()
    expect(shown?.one('earlier in short')).toBe('Before, stars.')
    const whole = shown?.all.filter(({ name }) => name === 'turn') ?? []
    const short = shown?.all.filter(({ name }) => name === 'earlier turn') ?? []
    expect(whole.length + short.length).toBe(12)
    expect(whole.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(4 * 1_500)
    expect(short.every(({ text }) => text.length <= 402)).toBe(true)
    expect(shown?.task).toContain('Write the summary')
    says({ summary: 'Not asked for.' })
    expect(await routed({ thread })).not.toHaveProperty('summary')
  })
})
