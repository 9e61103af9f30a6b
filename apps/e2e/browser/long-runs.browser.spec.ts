import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { openOpsHistory } from '@plumbline/adapters/redis/ops/history'
import { rowNames } from '@plumbline/hosting/health/history'
import { bucketOf } from '@plumbline/hosting/health/time-buckets'
import { openHouse, type House } from '../house'
import { ask } from './ask-page'
import { type Browser, openBrowser } from './browser'

let house: House
let browser: Browser
/** Starts no workers, so that every question stays queued. */
beforeAll(async () => {
  ;[house, browser] = await Promise.all([openHouse({ stages: [] }), openBrowser()])
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const recordTasks = async (tasks: Record<string, number>): Promise<void> => {
  const redis = connectFailFast(house.redisUrl)
  await whenReady(redis, 5_000)
  const rows = Object.entries(tasks).map(([stage, ms]) => {
    const name = rowNames.stage(stage)
    return { name, instead: name, counts: { [bucketOf(ms)]: 20 } }
  })
  await openOpsHistory(redis).add(rows, [], Date.now())
  redis.disconnect()
}

it('says that a question takes long only after what questions usually take here', async () => {
  await recordTasks({ router: 1_000, generator: 60_000, ingest: 300_000 })
  const { page, faults, close } = await browser.visit({ url: house.url })
  await page.clock.install()
  await page.goto('/')
  const turn = await ask(page, 'How high is the lighthouse?')
  await turn.getByText('The question is waiting to be processed.').waitFor()
  await page.clock.fastForward(50_000)
  expect(await turn.getByText('longer than usual').count()).toBe(0)
  await page.clock.fastForward(15_000)
  await turn.getByText('This takes longer than usual.').waitFor()
  expect(faults).toEqual([])
  await close()
})

it('does not say it before 20 seconds, however short questions usually are', async () => {
  const quick = await openHouse({ stages: [] })
  const { page, close } = await browser.visit({ url: quick.url })
  await page.clock.install()
  await page.goto('/')
  const turn = await ask(page, 'How high is the lighthouse?')
  await turn.getByText('The question is waiting to be processed.').waitFor()
  await page.clock.fastForward(18_000)
  expect(await turn.getByText('longer than usual').count()).toBe(0)
  await page.clock.fastForward(4_000)
  await turn.getByText('This takes longer than usual.').waitFor()
  await close()
  await quick.close()
})
