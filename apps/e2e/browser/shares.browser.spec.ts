import { afterAll, beforeAll, expect, it } from 'vitest'
import { allStages } from '@plumbline/stages/all'
import { generatorWriting } from '../generator-writing'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser } from './browser'

let house: House
let browser: Browser
beforeAll(async () => {
  const generator = generatorWriting(() => 'The lighthouse is 93 metres high [1].')
  ;[house, browser] = await Promise.all([
    openHouse({ stages: Object.values({ ...allStages, generator }) }),
    openBrowser(),
  ])
  await house.add('Skerry', '# Skerry\n\nThe lighthouse of Skerry is 31 metres high.', 'islands')
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

it('counts a run that is held twice as one held run of one ended run', async () => {
  const { client } = house
  const { id } = await client.ask({ question: 'How high is the lighthouse of Skerry?', collection: 'islands' })
  const held = async (): Promise<string | undefined> => (await client.run(id)).review?.taskId
  await expect.poll(held).toBeDefined()
  const first = await held()
  await client.decide(id, { action: 'retry', decisionId: 'again', taskId: first ?? '' })
  await expect.poll(async () => ((await held()) ?? first) !== first).toBe(true)
  await client.decide(id, { action: 'reject', decisionId: 'no', taskId: (await held()) ?? '', note: 'It is wrong.' })
  await expect.poll(async () => (await client.history()).total.ended).toEqual({ rejected: 1 })
  const { page, faults, close } = await browser.visit({ url: house.url })
  await page.goto('/ops')
  const chart = page.getByRole('region', { name: 'How runs ended', exact: true })
  await chart.getByText('held for review 100 %').waitFor()
  await chart.getByText('of 1 ended runs').waitFor()
  const policy = page.getByRole('region', { name: 'policy', exact: true })
  await policy.getByRole('cell', { name: '100 %' }).first().waitFor()
  expect((await page.getByRole('main').innerText()).match(/\d{3,} %/g)).toEqual(['100 %', '100 %', '100 %'])
  expect(faults).toEqual([])
  await close()
})
