import { answer } from '@plumbline/testing/model-server/answer'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../skill/fixtures.spec'
import type { CollectionCard, Route, Thread } from '../skill/skill'
import * as recorded from './lookup-routes.fixture'
import { routeContract } from './route.contract'
import { llmRoute } from './route.llm'
import { isPleasantry, offlineRoute } from './route.offline'

routeContract('offline', () => offlineRoute)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const trains: CollectionCard = { name: 'trains', description: 'Punctuality of the regional railway by line and year.' }
const minutes: CollectionCard = { name: 'minutes', description: 'Minutes of the board.' }
const asked = { collections: [trains, minutes], webOn: true, mode: 'scope', queries: 2, knowledge: true } as const
const routedOffline = (question: string, thread?: Thread) =>
  offlineRoute({ ...asked, collections: [...asked.collections], question, ...(thread && { thread }) }, call)

describe('offline route', () => {
  it.each(['Hello!', 'hi', 'Thank you.', 'HELP', 'Guten Tag', 'Vielen Dank!', 'Merci !', 'こんにちは', 'ありがとう。'])(
    'replies to a greeting, thanks or a call for help: %s',
    async (question) => expect(await routedOffline(question)).toMatchObject({ to: 'reply', collections: [] }),
  )

  it.each([
    'How many passengers used the Bergen line in 2019?',
    'How much was it?',
    'Tell me more.',
    'Who will win the football World Cup?',
    'Translate this letter to Spanish',
    'Hello, which line had the most delays?',
    'Thanks to whom did the line open?',
    'Wie viele Züge fuhren?',
    '列車は何本ですか。',
  ])('researches everything else in all collections: %s', async (question) => {
    const { to, collections, question: whole } = await routedOffline(question)
    expect([to, collections, whole]).toEqual(['research', ['trains', 'minutes'], undefined])
  })

  it('never declines, asks back or uses the web, in any mode', async () => {
    for (const mode of ['scope', 'index-or-web', 'retrieve-or-not'] as const)
      expect(await offlineRoute({ ...asked, collections: [], mode, question: 'What is it?' }, call)).toMatchObject({
        to: 'research',
        collections: [],
      })
  })

  it('recognizes a pleasantry only as a whole message', () => {
    expect(isPleasantry('  thank   you!! ')).toBe(true)
    expect(isPleasantry('thank you for what')).toBe(false)
    expect(isPleasantry('?')).toBe(false)
  })
})

describe('offline route: a follow-up', () => {
  const thread = (...questions: string[]): Thread => ({
    turns: questions.map((question) => ({ question, text: 'It was 12 [1].' })),
    askedBack: false,
    hasPassages: true,
  })
  const first = 'How many passengers used the Bergen line in 2019?'

  it('takes missing words from the previous question', async () =>
    expect(await routedOffline('And in 2020?', thread('Who built it?', first))).toMatchObject({
      to: 'research',
      question: 'How many passengers used the Bergen line in (And in 2020?)',
    }))

  it('keeps names, and figures of another length', async () => {
    const routedAs = async (before: string, question: string) =>
      (await routedOffline(question, thread(before))).question
    expect(await routedAs('What did line 4 cost in 2019?', 'And line 7?')).toBe(
      'What did line cost in 2019 (And line 7?)',
    )
    expect(await routedAs('Delays of line 4?', 'and in 2020?')).toBe('Delays of line 4 (and in 2020?)')
    expect(await routedAs('Delays of Bergen?', 'and of Oslo')).toBe('Delays of Bergen (and of Oslo)')
  })

  it('stays unchanged if it repeats the previous question', async () =>
    expect(await routedOffline(`${first} And how many tickets?`, thread(first))).not.toHaveProperty('question'))

  it.each([
    ['What is the mass of Mars?', 'Who discovered Titan?'],
    ['What is the mass of Saturn?', 'asdf qwer'],
    ['How many moons did Saturn have in 2019?', 'asdf qwer'],
    ['Who discovered Titan (and of Venus?)', 'asdf qwer'],
    ['What is the mean density of Saturn?', 'asdf qwer'],
    ['How many moons did Saturn have in 2019 (And in 2023?)', 'asdf qwer'],
    ['What is the mean density of Mars?', 'Who discovered Titan?'],
    ['What is the mass of Mars?', 'What is the mass of Venus?'],
    ['How long does short-term memory last?', 'Which mission first landed on Venus, and in which year?'],
    ['What is the mass of Mars?', '?'],
    ['What is the mass of Mars?', '…'],
    ['hi', 'And of Venus?'],
  ])('takes nothing over if its subject is new: after %s %s', async (before, question) =>
    expect(await routedOffline(question, thread(before))).not.toHaveProperty('question'),
  )

  it.each([
    ['What is the mass of Mars?', 'And of Venus?'],
    ['What is the mass of Mars?', 'and how many moons?'],
    ['What is the mass of Mars?', 'why?'],
    ['How many moons did Saturn have in 2019?', 'And in 2023?'],
    ['What is the mean density of Mars?', 'And its mean radius?'],
    [first, 'And for Oslo and Hamar?'],
  ])('takes words over if it clearly continues: after %s %s', async (before, question) =>
    expect((await routedOffline(question, thread(before))).question).toContain(`(${question})`),
  )

  it('continues the last question before thanks', async () =>
    expect(await routedOffline('And of Oslo?', thread('Delays of Bergen?', 'Thanks!'))).toMatchObject({
      question: 'Delays of Bergen (And of Oslo?)',
    }))

  it('can still be thanks', async () =>
    expect(await routedOffline('Danke!', thread(first))).toMatchObject({ to: 'reply' }))
})

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
    ...{ to: 'research', question: null, summary: null, collections: ['planets'] },
    ...{ simple: true, queries: ['mass of Mars', 'Mars Masse'], note: null, knowledge: false },
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
  it('offers each mode its own routes', async () => {
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
    expect(model.server().requests.map(({ name }) => name)).toEqual([
      ...['route', 'route', 'route-index-or-web', 'route-retrieve-or-not', 'route-retrieve-or-not'],
    ])
  })

  it('decides the route, collections and queries in one call', async () => {
    says({ queries: ['Mars Masse', 'how heavy is mars?', 'Mars Masse', 'mass table', 'weight'] })
    expect(await routed()).toEqual({
      ...{ to: 'research', logic: 'The collections may hold the answer.', collections: ['planets'], simple: true },
      queries: ['Mars Masse', 'mass table'],
    })
    expect(await routed({ queries: 0 })).toMatchObject({ queries: ['Mars Masse'] })
    expect(model.shown()[0]?.all.map(({ text }) => text)).toEqual([
      ...['planets\nMass and moons.', 'tides\nGezeitentafeln.', question],
    ])
    expect(model.shown()[0]?.task).toMatch(/^Today is \w+, \d{4}-\d\d-\d\d\. Web search is off.*Write 2 queries/)
    expect(model.systems()[0]).not.toMatch(/Mars|tide/i)
    says({ simple: false })
    expect(await routed()).not.toHaveProperty('queries')
  })

  it('returns only given collections, and all of them if the model names none', async () => {
    says(
      { collections: ['secrets', 'tides'] },
      { collections: ['secrets'] },
      { to: 'decline', note: 'It is about cars.' },
    )
    expect((await routed()).collections).toEqual(['tides'])
    expect((await routed()).collections).toEqual(['planets', 'tides'])
    expect(await routed()).toEqual({ to: 'decline', logic: 'It is about cars.', collections: [] })
  })

  it('asks the model only for fields that matter to the question, and explains no others', async () => {
    says({})
    const fieldsOf = async (fields: Fields) => {
      await routed(fields)
      const body = model.server().calls('chat').at(-1)?.body as {
        response_format: { json_schema: { schema: { properties: object } } }
      }
      const asked = Object.keys(body.response_format.json_schema.schema.properties)
      const explained = [...(model.systems().at(-1) ?? '').matchAll(/^(\w+):/gm)].map(([, name]) => name)
      const all = ['question', 'summary', 'collections', 'lookups', 'simple', 'queries', 'note', 'knowledge']
      expect(explained.filter((name) => name && all.includes(name))).toEqual(asked.slice(1))
      return asked
    }
    const plain = ['to', 'simple', 'queries', 'note']
    expect(await fieldsOf({ collections: collections.slice(0, 1) })).toEqual(plain)
    expect(await fieldsOf({})).toEqual(['to', 'collections', 'simple', 'queries', 'note'])
    expect(await fieldsOf({ thread, knowledge: true })).toEqual([
      ...['to', 'question', 'summary', 'collections', 'simple', 'queries', 'note', 'knowledge'],
    ])
  })

  it('chooses among given lookups in the same call, and asks for them only if there are any', async () => {
    says({ lookups: ['tides', 'secrets'] }, { to: 'web', lookups: ['tides'] }, { lookups: [] }, { lookups: ['tides'] })
    const lookups = ['ships', 'tides'].map((name) => ({ name, description: `All ${name}.`, params: [] }))
    expect(await routed({ lookups })).toMatchObject({ to: 'research', lookups: ['tides'] })
    expect(await routed({ lookups, webOn: true })).toMatchObject({ to: 'web', lookups: ['tides'] })
    expect(await routed({ lookups })).toMatchObject({ to: 'research', lookups: [] })
    expect(await routed({ lookups: [] })).not.toHaveProperty('lookups')
    expect(model.sent()).toHaveLength(4)
    expect(model.shown().map(({ one }) => one('lookups'))).toEqual([
      ...Array.from({ length: 3 }, () => '- ships: All ships.\n- tides: All tides.'),
      '',
    ])
    const schemas = model
      .server()
      .calls('chat')
      .map(({ body }) => JSON.stringify(body).includes('"lookups"'))
    expect(schemas).toEqual([true, true, true, false])
    expect(model.systems().map((system) => system.includes('\nlookups:'))).toEqual(schemas)
  })

  describe('over a catalog of 20 lookups', () => {
    const ask = ({ question, after, said: fields }: recorded.LookupRoute) => {
      model.server().script(() => true, answer.json(fields))
      const conversation = after && { turns: [after], askedBack: false, hasPassages: true }
      const shown = { collections: recorded.collections, lookups: recorded.lookups, thread: conversation }
      return routed({ question, ...shown })
    }

    it.each(recorded.lookupRoutes)('routes as recorded: $question', async (row) => {
      const { to, lookups, collections: inside } = row.said
      const result = await ask(row)
      expect(result).toMatchObject({ to, lookups })
      expect(result.question).toBe(row.said.question ?? undefined)
      if (to === 'research' && inside.length > 0) expect(result.collections).toEqual(inside)
      expect(model.sent()).toHaveLength(1)
      expect(model.shown()[0]?.lines('lookups')).toHaveLength(20)
    })

    it('adds at most 15 characters to an answer that names none', async () => {
      const plain = recorded.lookupRoutes.filter(({ said: { lookups } }) => lookups.length === 0)
      expect(plain.length).toBeGreaterThan(9)
      for (const { said: fields } of plain) {
        const { lookups, ...rest } = fields
        expect(JSON.stringify({ ...rest, lookups }).length - JSON.stringify(rest).length).toBeLessThanOrEqual(15)
      }
    })
  })

  it('returns the title of the document to summarize', async () => {
    says({ to: 'summarise', note: 'tide report' }, { to: 'summarise', note: null })
    expect(await routed()).toMatchObject({ to: 'summarise', title: 'tide report', collections: ['planets'] })
    expect(await routed()).toMatchObject({ title: question })
  })

  it('lets a reply state common knowledge only if that is allowed', async () => {
    says({ to: 'reply', knowledge: true })
    expect(await routed({ knowledge: true })).toMatchObject({ knowledge: true })
    expect(await routed()).not.toHaveProperty('knowledge')
  })

  it('repairs a route that was not offered, and declines if the model refuses', async () => {
    says({ to: 'web' }, { to: 'decline' })
    expect((await routed()).to).toBe('decline')
    expect(model.sent()[1]?.at(-1)?.content).toMatch(/to/)
    model.server().script('route', answer.refused('Not this.'))
    expect(await routed()).toEqual({ to: 'decline', logic: expect.stringContaining('Not this.'), collections: [] })
  })
})

describe('a conversation', () => {
  it('gets a standalone question from the model, with nothing added to it', async () => {
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

  it('tells the model if the last turn asked the asker something', async () => {
    says({ to: 'reply' })
    await routed({ question: 'Thanks!', thread: { ...thread, askedBack: true } })
    await routed({ thread })
    expect(model.shown().map(({ task }) => task.includes('a question back to the asker'))).toEqual([true, false])
  })

  it('shows the last turns up to a limit and earlier ones in short, and requests a summary', async () => {
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
