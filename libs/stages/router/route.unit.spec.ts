import { describe, expect, it } from 'vitest'
import { admitted, after, asking } from '@plumbline/flow/spec/given.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import type { Route } from '@plumbline/skills'
import type { RoutingRule } from '@plumbline/hosting/routing/rules'
import { catalog, workOn } from '../work.spec'
import { route } from './route'

const handler = route({ skills: offlineSkills, catalog })
const routing = (question: string, collections = ['planets', 'memory']) =>
  workOn(after(asking({}, { question, collections }), admitted), 'route')

describe('route', () => {
  it.each([
    ['research', 'What is the mass and gravity of Mars?'],
    ['clarify', 'And for the second one?'],
    ['decline', 'Who will win the football world cup?'],
    ['reply', 'Hello!'],
  ])('%s: %s', async (outcome, question) => {
    const result = await handler(routing(question))
    expect(result).toMatchObject({ outcome, logic: expect.stringMatching(/\w/) })
  })

  it('names the collections the question is about', async () =>
    expect(await handler(routing('What is the mass of the planet Mars?'))).toMatchObject({
      outcome: 'research',
      collections: ['planets'],
    }))

  it('declines where no collection exists, and says why', async () =>
    expect(await handler(routing('What is the mass of Mars?', []))).toMatchObject({
      outcome: 'decline',
      logic: expect.stringMatching(/no collection/i),
    }))

  it('reads no collection the run may not read, and all of them where the skill names none', async () => {
    const naming =
      (collections: string[]): Route =>
      () =>
        Promise.resolve({ to: 'research', logic: 'All.', collections })
    const routed = (collections: string[]) =>
      route({ skills: { route: naming(collections) }, catalog })(routing('How heavy is Mars?', ['planets']))
    expect(await routed(['planets', 'secrets'])).toMatchObject({ collections: ['planets'] })
    expect(await routed(['secrets'])).toMatchObject({ collections: ['planets'] })
  })

  it('asks what its policy’s way of routing asks, about the whole question, with what the thread has', async () => {
    const seen: unknown[] = []
    const hearing: Route = ({ question, mode, thread }) => {
      seen.push([question, mode, thread])
      return Promise.resolve({ to: 'continue', logic: 'The thread holds it.', collections: [] })
    }
    const inThread = {
      runId: 'r0',
      status: 'needs_input' as const,
      question: 'How heavy is it?',
      text: 'Which planet?',
      passageIds: [] as string[],
    }
    const asked = (fields: Parameters<typeof asking>[0], thread = inThread) =>
      route({ skills: { route: hearing }, catalog })(
        workOn(after(asking(fields, { question: 'Mars.', inThread: thread }), admitted), 'route'),
      )
    expect(await asked({ routing: 'retrieve-or-not' })).toEqual({ outcome: 'continue', logic: 'The thread holds it.' })
    await asked({ routing: undefined }, { ...inThread, passageIds: ['p1'] })
    expect(seen).toEqual([
      ['How heavy is it? Mars.', 'retrieve-or-not', undefined],
      ['How heavy is it? Mars.', undefined, { question: 'How heavy is it?', text: 'Which planet?' }],
    ])
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
    const result = await route({ skills: { route: asked }, catalog, known: () => Promise.resolve(known) })(
      routing('How heavy is Mars?'),
    )
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
    await route({ skills: { route: recording }, catalog })(work)
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
    route({ skills: { route: skill }, catalog, rules: [rule(then)] })
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
      skills: { route: unasked },
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
