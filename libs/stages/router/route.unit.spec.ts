import type { AnswerCache } from '@plumbline/adapters/redis/caches/answers'
import type { RouteTo } from '@plumbline/contracts'
import type { StartAsk } from '@plumbline/flow'
import { admitted, after, asking } from '@plumbline/flow/spec/run-fixtures.spec'
import type { RoutingRule } from '@plumbline/hosting/routing/rules'
import type { Embedder } from '@plumbline/ports/search-models'
import { offlineSkills } from '@plumbline/skills/offline'
import type { Route } from '@plumbline/skills/skill/skill'
import { describe, expect, it } from 'vitest'
import { catalog, workOn } from '../work.spec'
import { pinnedOrCached, cachedAnswer, route } from './route'

const handler = route({ skills: offlineSkills, catalog })
const routing = (question: string, collections = ['planets', 'memory']) =>
  workOn(after(asking({}, { question, collections }), admitted), 'route')

describe('route', () => {
  it.each([
    ['research', 'What is the mass and gravity of Mars?'],
    ['research', 'Who will win the football world cup?'],
    ['reply', 'Hello!'],
  ])('%s: %s', async (outcome, question) => {
    const result = await handler(routing(question))
    expect(result).toMatchObject({ outcome, logic: expect.stringMatching(/\w/) })
  })

  it('reads no collection the run may not read, and all of them where the skill names none', async () => {
    const naming =
      (collections: string[]): Route =>
      () =>
        Promise.resolve({ to: 'research', logic: 'All.', collections })
    const routed = (collections: string[]) =>
      route({ skills: { ...offlineSkills, route: naming(collections) }, catalog })(
        routing('How heavy is Mars?', ['planets']),
      )
    expect(await routed(['planets', 'secrets'])).toMatchObject({ collections: ['planets'] })
    expect(await routed(['secrets'])).toMatchObject({ collections: ['planets'] })
  })

  it('shows the router the thread as it was released, and how its policy routes', async () => {
    const seen: Parameters<Route>[0][] = []
    const hearing: Route = (input) => {
      seen.push(input)
      return Promise.resolve({ to: 'continue', logic: 'The thread holds it.', collections: [] })
    }
    const inThread = { runId: 'r0', status: 'needs_input' as const, question: 'How heavy is it?', text: 'Which?' }
    const asked = (fields: Parameters<typeof asking>[0], thread: NonNullable<StartAsk['inThread']>) =>
      route({ skills: { ...offlineSkills, route: hearing }, catalog })(
        workOn(after(asking(fields, { question: 'Mars.', inThread: thread }), admitted), 'route'),
      )
    expect(await asked({ routing: 'retrieve-or-not' }, { ...inThread, passageIds: [] })).toEqual({
      outcome: 'continue',
      logic: 'The thread holds it.',
    })
    const earlier = { question: 'Has it moons?', text: 'Two [1].' }
    const longer = { ...inThread, status: 'answered' as const, passageIds: ['p1'], turns: [earlier], summary: 'Mars.' }
    await asked({ routing: 'scope', generalKnowledge: 'mark' }, longer)
    const last = { question: 'How heavy is it?', text: 'Which?' }
    expect(seen).toMatchObject([
      { question: 'Mars.', mode: 'retrieve-or-not', knowledge: false, queries: 2 },
      { question: 'Mars.', mode: 'scope', knowledge: true },
    ])
    expect(seen.map(({ thread }) => thread)).toEqual([
      { turns: [last], askedBack: true, hasPassages: false },
      { turns: [earlier, last], summary: 'Mars.', askedBack: false, hasPassages: true },
    ])
  })

  it('hands on the standalone question, whether it is simple, and its queries', async () => {
    const understood = { question: 'How heavy is Mars?', summary: 'About Mars.', simple: true, queries: ['Mars kg'] }
    const said = (to: RouteTo) =>
      route({
        skills: {
          ...offlineSkills,
          route: () => Promise.resolve({ to, logic: 'So.', collections: [], title: 'Mars', ...understood }),
        },
        catalog,
      })(routing('And Mars?', ['planets']))
    expect(await said('research')).toEqual({
      outcome: 'research',
      logic: 'So.',
      collections: ['planets'],
      ...understood,
    })
    const { question, summary, queries } = understood
    expect(await said('web')).toEqual({ outcome: 'web', logic: 'So.', question, summary, queries })
    expect(await said('summarise')).toEqual({
      outcome: 'summarise',
      logic: 'So.',
      question,
      summary,
      collections: ['planets'],
      title: 'Mars',
    })
    expect(await said('decline')).toEqual({ outcome: 'decline', logic: 'So.', question, summary })
  })

  it('asks no skill where the answer is known from before', async () => {
    const check = { claims: [], parts: [], support: 'full' as const, usefulness: 5, confidence: 1, tooBroad: false }
    const known = {
      from: { runId: 'r0', at: '2027-01-15T08:00:00.000Z' },
      text: 'Heavy [1].',
      citations: [{ n: 1, passageId: 'p1' }],
      passages: [],
      check,
    }
    const asked: Route = () => Promise.reject(new Error('it was asked'))
    const result = await route({
      skills: { ...offlineSkills, route: asked },
      catalog,
      known: () => Promise.resolve(known),
    })(routing('How heavy is Mars?'))
    expect(result).toEqual({ outcome: 'known', logic: expect.stringMatching(/answered before/), ...known })
    expect(
      await route({ skills: offlineSkills, catalog, known: () => Promise.resolve(null) })(
        routing('How heavy is Mars?'),
      ),
    ).toMatchObject({ outcome: 'research' })
  })

  it('calls the skill with the tier and temperature of the policy, and its own signal', async () => {
    const work = routing('How heavy is Mars?')
    const seen: unknown[] = []
    const recording: Route = (input, call) => {
      seen.push(input.webOn, call.tier, call.temperature, call.signal === work.signal, call.onCall === work.onCall)
      return offlineSkills.route(input, call)
    }
    await route({ skills: { ...offlineSkills, route: recording }, catalog })(work)
    const { tier, temperature } = work.run.policy.skills.route
    expect(seen).toEqual([false, tier, temperature, true, true])
  })
})

describe('route by rules of the operator', () => {
  const unasked: Route = () => Promise.reject(new Error('a model was asked'))
  const rule = (then: RoutingRule['then']): RoutingRule => ({
    name: 'mars',
    then,
    fits: ({ tokens }) => tokens.includes('mars'),
  })
  const ruled = (then: RoutingRule['then'], skill: Route = unasked) =>
    route({ skills: { ...offlineSkills, route: skill }, catalog, rules: [rule(then)] })
  const logic = "The operator's rule “mars” decides."

  it('searches the collections that a rule names and the run may read, without a model', async () =>
    expect(await ruled({ collections: ['planets', 'secrets'] })(routing('How heavy is Mars?'))).toEqual({
      outcome: 'research',
      logic,
      collections: ['planets'],
    }))

  it('has a lookup asked first', async () =>
    expect(await ruled({ lookup: 'moons' })(routing('Moons of Mars?'))).toEqual({
      outcome: 'research',
      logic,
      collections: ['planets', 'memory'],
      lookup: 'moons',
    }))

  it('replies in the operator’s words, before any answer that is known', async () => {
    const handled = route({
      skills: { ...offlineSkills, route: unasked },
      catalog,
      known: () => Promise.reject(new Error('the cache was asked')),
      rules: [rule({ reply: 'See https://mars.example.' })],
    })
    expect(await handled(routing('Mars?'))).toEqual({ outcome: 'reply', logic, text: 'See https://mars.example.' })
  })

  it('asks the model as ever where no rule fits, or one only names a policy', async () => {
    const declining: Route = () => Promise.resolve({ to: 'decline', logic: 'No.', collections: [] })
    expect(await ruled({ reply: 'x' }, declining)(routing('Venus?'))).toMatchObject({ outcome: 'decline' })
    expect(await ruled({ policy: 'research' }, declining)(routing('Mars?'))).toMatchObject({ outcome: 'decline' })
  })

  it('lets a model make a question of a thread stand alone, and leads it where the rule says', async () => {
    const inThread = { runId: 'r0', status: 'answered' as const, question: 'Mars?', text: 'Red.', passageIds: [] }
    const work = workOn(
      after(asking({}, { question: 'Is Mars larger?', collections: ['planets', 'memory'], inThread }), admitted),
      'route',
    )
    const standing: Route = () =>
      Promise.resolve({ to: 'web', logic: 'News.', collections: [], question: 'Is Mars larger than Venus?' })
    expect(await ruled({ collections: ['memory'] }, standing)(work)).toEqual({
      outcome: 'research',
      logic,
      collections: ['memory'],
      question: 'Is Mars larger than Venus?',
    })
    expect(await ruled({ reply: 'No.' })(work)).toMatchObject({ outcome: 'reply', text: 'No.' })
  })
})

const usage = { calls: 1, tokensIn: 4, tokensOut: 0, cents: 0.01 }
const known = {
  from: { runId: 'r0', at: '2027-01-15T08:00:00.000Z' },
  text: 'Heavy.',
  citations: [],
  passages: [],
  check: { claims: [], parts: [], support: 'full' as const, usefulness: 5, confidence: 1, tooBroad: false },
}
const work = () => workOn(after(asking(), admitted), 'route')
const embedder: Embedder = {
  name: 'spec',
  dimensions: 1,
  embed: (texts, _signal, onCall) => {
    onCall?.({ model: 'spec', usage })
    return Promise.resolve(texts.map(() => new Float32Array([1])))
  },
}
const cache: AnswerCache = { mayKnow: () => true, look: () => Promise.resolve(known) }

describe('a known answer', () => {
  it("is searched for by the question's vector, whose cost is reported", async () => {
    const seen: unknown[] = []
    const looked = await cachedAnswer(
      { ...cache, look: (run, asked) => Promise.resolve((seen.push(run.question, asked), known)) },
      embedder,
    )({ ...work(), onCall: (call) => void seen.push(call) })
    expect(looked).toBe(known)
    expect(seen).toEqual([
      { skill: 'embed', model: 'spec', usage },
      'How heavy is Mars?',
      { vector: new Float32Array([1]), embedder: 'spec' },
    ])
  })

  it('is not searched for, without cost, if the question may not be cached', async () => {
    const seen: unknown[] = []
    expect(
      await cachedAnswer(
        { ...cache, mayKnow: () => false },
        embedder,
      )({ ...work(), onCall: (call) => void seen.push(call) }),
    ).toBeNull()
    expect(seen).toEqual([])
  })

  it.each<[string, AnswerCache, Embedder]>([
    ['the embedder is down', cache, { ...embedder, embed: () => Promise.reject(new Error('down')) }],
    ['the cache knows none', { ...cache, look: () => Promise.resolve(null) }, embedder],
    ['the embedder says nothing', cache, { ...embedder, embed: () => Promise.resolve([]) }],
  ])('is nothing where %s', async (_, kept, by) => expect(await cachedAnswer(kept, by)(work())).toBeNull())

  it('ends with the task', async () => {
    const failing: Embedder = { ...embedder, embed: (_texts, signal) => Promise.reject(signal.reason as Error) }
    await expect(
      cachedAnswer(cache, failing)({ ...work(), signal: AbortSignal.abort(new Error('stop')) }),
    ).rejects.toThrow('stop')
  })
})

describe('a question of a thread', () => {
  const inThread = {
    runId: 'r0',
    status: 'answered' as const,
    question: 'How heavy is Venus?',
    text: 'Heavy.',
    passageIds: [],
  }
  const asked = async (to: 'research' | 'reply') => {
    const looked: (string | undefined)[] = []
    const handler = route({
      skills: {
        ...offlineSkills,
        route: () =>
          Promise.resolve({
            to,
            logic: 'Of planets.',
            collections: [],
            question: 'How heavy is Mars?',
            summary: 'Planets.',
          }),
      },
      catalog,
      known: ({ run }) => {
        looked.push(run.standalone)
        return Promise.resolve(run.standalone === 'How heavy is Mars?' ? known : null)
      },
    })
    const result = await handler(workOn(after(asking({}, { question: 'And Mars?', inThread }), admitted), 'route'))
    return { result, looked }
  }

  it('is searched for by the standalone question, once it is routed to the documents', async () => {
    const { result, looked } = await asked('research')
    expect(result).toEqual({
      outcome: 'known',
      logic: expect.stringMatching(/answered before/),
      question: 'How heavy is Mars?',
      summary: 'Planets.',
      ...known,
    })
    expect(looked).toEqual([undefined, 'How heavy is Mars?'])
  })

  it('is not searched for if the question needs no document', async () =>
    expect(await asked('reply')).toMatchObject({ result: { outcome: 'reply' }, looked: [undefined] }))
})

describe('a pinned answer', () => {
  const kept = { look: () => Promise.resolve({ ...known, kept: true }) }
  const work = (ask: Partial<StartAsk> = {}) => workOn(after(asking({}, ask), admitted), 'route')

  it('goes before what is remembered, and that stays where nothing is kept', async () => {
    expect(await pinnedOrCached(kept, () => Promise.reject(new Error('asked')))(work())).toMatchObject({ kept: true })
    const none = { look: () => Promise.resolve(null) }
    expect(await pinnedOrCached(none, () => Promise.resolve(known))(work())).toBe(known)
    expect(await pinnedOrCached(none, undefined)(work())).toBeNull()
  })

  it('is not given to a question of a thread until it stands alone', async () => {
    const inThread = { runId: 'r0', status: 'answered' as const, question: 'Venus?', text: 'Yes.', passageIds: [] }
    const given = work({ inThread })
    expect(await pinnedOrCached(kept, undefined)(given)).toBeNull()
    expect(
      await pinnedOrCached(kept, undefined)({ ...given, run: { ...given.run, standalone: 'Mars?' } }),
    ).not.toBeNull()
  })
})
