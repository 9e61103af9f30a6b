import { describe, expect, it } from 'vitest'
import type { Usage } from '@plumbline/contracts'
import type { StageHandler } from './handler'
import type { Budget } from '.'
import { routeTask, toResearch, world } from './spec/world'

const usage: Usage = { calls: 1, tokensIn: 10, tokensOut: 2, cents: 0.5 }
const call = { skill: 'route', model: 'small', usage }

const budgetOf = (spent = false) => {
  const charged: { run: string; usage: Usage }[] = []
  const budget: Budget = {
    charge: ({ id }, of) => void charged.push({ run: id, usage: of }),
    isSpent: () => Promise.resolve(spent),
  }
  return { charged, budget }
}

describe('model usage of a handler', () => {
  it('is charged call by call, and reported in one row per skill and model', async () => {
    const { router, run, store } = await world()
    const { charged, budget } = budgetOf()
    const twice: StageHandler<'route'> = async (work) => {
      work.onCall(call)
      work.onCall(call)
      work.onCall({ ...call, model: 'offline', usage: { ...usage, calls: 0 }, insteadBy: 'offline' })
      return toResearch(work)
    }
    expect(await router(twice, { budget })()).toEqual({ kind: 'done' })
    expect(charged).toEqual([usage, usage].map((each) => ({ run: routeTask.runId, usage: each })))
    expect((await run()).usage).toEqual({ calls: 2, tokensIn: 30, tokensOut: 6, cents: 1.5 })
    const told = (await store.ledger(routeTask.runId, null, 100)).flatMap(({ event }) =>
      event.type === 'called' ? event.calls : [],
    )
    expect(told.map(({ model, usage: { calls } }) => ({ model, calls }))).toEqual([
      { model: 'small', calls: 2 },
      { model: 'offline', calls: 0 },
    ])
  })

  it('is charged even if its task fails', async () => {
    const { router, run } = await world()
    const { charged, budget } = budgetOf()
    const failing: StageHandler<'route'> = async (work) => {
      work.onCall(call)
      throw new Error('a fault')
    }
    expect(await router(failing, { budget })()).toMatchObject({ kind: 'later' })
    expect(charged).toHaveLength(1)
    expect((await run()).usage.calls).toBe(0)
  })
})

describe('a tenant whose budget is used up', () => {
  it('starts no further task: its run ends with the reason', async () => {
    const { router, run, observed } = await world()
    const never: StageHandler<'route'> = () => Promise.reject(new Error('it was started'))
    expect(await router(never, { budget: budgetOf(true).budget })()).toEqual({ kind: 'done' })
    expect(await run()).toMatchObject({ status: 'unanswered', reason: 'unanswered.budget' })
    expect(observed.map(({ outcome }) => outcome)).toEqual(['overspent'])
  })
})
