import { describe, expect, it } from 'vitest'
import { abandon, policies, type Policy } from '..'
import type { StartAsk } from './start'
import { admitted, after, asked, asking, found, openIds, openTask, routed, t0 } from '../spec/run-fixtures.spec'

const inThread: StartAsk['inThread'] = {
  runId: 'r0',
  status: 'answered',
  question: 'How many moons had Saturn in 2019?',
  text: 'It had 82 [1].',
  passageIds: ['p1'],
}
const question = 'And in 2023?'
const whole = 'How many moons had Saturn in 2023?'
const understood = routed({ outcome: 'research', logic: 'All.', collections: asked.collections, question: whole })
const unrouted = Object.values(policies).filter(({ entry }) => entry !== 'route')
const firstOf = { plan: 'plan', research: 'research.1.1', route: 'route' }

describe('a follow-up under a policy without a router', () => {
  it.each(unrouted.map((each) => [each.name, each] as const))('is made standalone before its entry: %s', (_, own) => {
    const given = after(asking(own, { question, inThread }), admitted)
    expect(openIds(given)).toEqual(['route'])
    const entered = after(given, understood)
    expect(entered.run).toMatchObject({ standalone: whole, collections: asked.collections, spent: { moves: 0 } })
    expect(entered.events.find(({ type }) => type === 'routed')).toMatchObject({ standalone: whole })
    expect(openIds(entered)).toEqual([firstOf[own.entry]])
    if (own.entry === 'research') expect(entered.run.steps).toMatchObject([{ question: whole }])
  })

  it.each(unrouted.map((each) => [each.name, each] as const))(
    'needs no extra call without earlier turns: %s',
    (_, own) => expect(openIds(after(asking(own), admitted))).toEqual([firstOf[own.entry]]),
  )

  it('enters as its policy says, whatever the policy says about plans', () => {
    const entered = (fields: Partial<Policy>) =>
      openIds(after(asking(fields, { question, inThread }), admitted, understood))
    expect(entered({ entry: 'research', plan: 'always' })).toEqual(['research.1.1'])
    expect(entered({ entry: 'plan', plan: 'never' })).toEqual(['plan'])
  })

  it('continues as it was stored by a version that did not make it standalone', () => {
    const entered = after(asking(policies.simple, { question }), admitted)
    const stored = { ...entered, run: { ...entered.run, inThread } }
    expect(openIds(after(stored, found('1.1', ['p1'])))).toEqual(['generate.1'])
  })

  it('needs no more moves than a first question', () => {
    const fewest = { ...policies.simple!, maxMoves: 3 }
    expect(openIds(after(asking(fewest, { question, inThread }), admitted, understood))).toEqual(['research.1.1'])
  })

  it('enters as asked if it cannot be made standalone', () => {
    const given = after(asking(policies['self-rag'], { question, inThread }), admitted)
    const left = abandon(given.run, openTask(given, 'route').id, 'It failed.', t0 + 9_000)
    expect(left).toMatchObject({ kind: 'moved', run: { steps: [{ question }], open: [{ id: 'research.1.1' }] } })
  })
})
