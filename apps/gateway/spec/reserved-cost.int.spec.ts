import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { dayOf, openSpending } from '@plumbline/adapters/redis/limits/spending'
import { createGateway } from '@plumbline/gateway'
import { openBench, plainHandlers, until, type Bench } from '@plumbline/hosting/spec/bench'
import { features, post } from './house.spec'

const budget = 50
const asksAtOnce = 200

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const openGateways = (count: number, estimate: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { url, close } = await createGateway({
        features,
        redisUrl: bench.server.url,
        port: 0,
        removePassages: () => Promise.resolve(),
        tenantCentsPerDay: { '*': budget },
        runCost: { cents: estimate, tokens: 20_000 },
      })
      onTestFinished(close)
      return url
    }),
  )

/**
 * Starts workers whose scripted model costs one cent per draft. No run starts before `start` is called. The workers have
 * no budget, so that only the gateways limit the cost.
 */
const startWorkers = async (): Promise<() => void> => {
  const started = Promise.withResolvers<void>()
  const plain = plainHandlers()
  const usage = { calls: 1, tokensIn: 1_000, tokensOut: 100, cents: 1 }
  await bench.host({
    handlers: {
      route: async (work) => {
        await started.promise
        return plain.route(work)
      },
      generate: async (work) => {
        work.onCall({ skill: 'generate', model: 'scripted', usage })
        return plain.generate(work)
      },
    },
  })
  return started.resolve
}

const askAll = async (urls: string[]) => {
  const asked = Array.from({ length: asksAtOnce }, (_, n) =>
    post(urls[n % urls.length] ?? '', '/v1/runs', {
      question: 'What is part 1, and what is part 2?',
      policy: 'standard',
    }),
  )
  const answers = await Promise.all(asked)
  const accepted = answers.filter(({ status }) => status === 202)
  const refused = answers.filter(({ status }) => status === 402)
  expect(accepted.length + refused.length).toBe(asksAtOnce)
  const ids = await Promise.all(accepted.map(async (answer) => ((await answer.json()) as { id: string }).id))
  return { ids, refused }
}
const spentToday = async (): Promise<number> =>
  (await openSpending(bench.redis).ofDay('default', dayOf(Date.now())))?.cents ?? 0
const allEnded = async (ids: string[]): Promise<void> => {
  await Promise.all(ids.map((id) => bench.ended(id, 60_000)))
  await until(async () => expect(await bench.redis.zcard('usage:{default}:reserved-until')).toBe(0))
}

describe.each([1, 2])('200 asks at once through %i gateways against a budget of 50 runs', (gateways) => {
  it('are admitted up to the budget if the estimate is right', async () => {
    const start = await startWorkers()
    const urls = await openGateways(gateways, 1)
    const { ids, refused } = await askAll(urls)
    expect(ids).toHaveLength(budget)
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeLessThanOrEqual(10)
    expect(await refused[0]?.json()).toMatchObject({
      type: 'urn:plumbline:problem:budget-spent',
      detail: expect.stringContaining('reserved') as string,
    })
    start()
    await allEnded(ids)
    expect(await spentToday()).toBe(budget)
    expect((await askAll(urls)).ids).toEqual([])
  }, 120_000)

  it('never spend more than one run beyond the budget per gateway if the estimate is learned from the runs', async () => {
    const start = await startWorkers()
    const urls = await openGateways(gateways, 10)
    const first = await askAll(urls)
    expect(first.ids).toHaveLength(5)
    start()
    // Ask while the first runs end, because their cost lowers the estimate for the next runs.
    const second = await askAll(urls)
    await allEnded([...first.ids, ...second.ids])
    const third = await askAll(urls)
    await allEnded(third.ids)
    expect(await spentToday()).toBeGreaterThanOrEqual(budget)
    expect(await spentToday()).toBeLessThanOrEqual(budget + gateways)
    expect((await askAll(urls)).ids).toEqual([])
  }, 120_000)
})

it('an ask that is refused after its cost was reserved gives it back', async () => {
  const [url = ''] = await openGateways(1, 20)
  const ask = { question: 'Why?', threadId: 't1', whenBusy: 'refuse' }
  expect((await post(url, '/v1/runs', ask)).status).toBe(202)
  expect((await post(url, '/v1/runs', ask)).status).toBe(409)
  expect(await bench.redis.zcard('usage:{default}:reserved-until')).toBe(1)
  expect(await bench.redis.hget('usage:{default}:reserved', 'microcents')).toBe('20000000')
})
