import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createClient } from '@plumbline/client'
import { stages } from '@plumbline/flow'
import { defineStage } from '@plumbline/hosting/define-stage'
import { until } from '@plumbline/hosting/spec/bench'
import { scriptedHandlers } from '@plumbline/hosting/spec/scripted-handlers'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser, seriousFaults } from './browser'

const key = 'admin-key-of-acme-1'
let house: House
let browser: Browser
beforeAll(async () => {
  const handlers = scriptedHandlers()
  ;[house, browser] = await Promise.all([
    openHouse({
      stages: stages.map((stage) =>
        defineStage({ stage, env: z.object({}), limits: () => ({ attempts: 1 }), handlers: () => handlers }),
      ),
      env: { API_KEYS: `${key}:acme:admin` },
    }),
    openBrowser(),
  ])
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

it('names the causes of failed searches for each collection, with their counts and a link to the runs', async () => {
  const client = createClient({ url: house.url, key })
  await client.putCollection('planets', { description: 'Facts about the planets.' })
  for (let n = 0; n < 5; n += 1) await client.ask({ question: `What is it, again ${n}?` }, { waitSeconds: 20 })
  await until(async () => {
    const { collections } = await client.diagnosis()
    if (!collections.some(({ findings }) => findings.length > 0)) throw new Error('the counts are not stored yet')
  })
  const { page, faults, close } = await browser.visit({ url: house.url, key })
  await page.goto('/ops')
  const causes = page.getByRole('region', { name: 'Causes of failed searches', exact: true })
  await causes.getByText('Queries are too broad').waitFor()
  expect(await causes.textContent()).toMatch(/planets.*\d+ of \d+ narrow-focus query rewrites helped/)
  expect(await seriousFaults(page)).toEqual([])
  await causes.getByRole('link', { name: 'Show runs' }).click()
  await page.getByRole('link', { name: 'What is it, again 0?' }).waitFor()
  expect(new URL(page.url()).searchParams.get('collection')).toBe('planets')
  expect(faults).toEqual([])
  await close()
})
