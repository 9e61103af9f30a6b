import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { freePort } from '@plumbline/platform'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser, seriousFaults } from './browser'

const key = 'operator-key-of-acme-1'

let house: House
let browser: Browser
beforeAll(async () => {
  const env = {
    API_KEYS: `${key}:acme:admin+operator:*`,
    OPENAI_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`,
    OPENAI_API_KEY: 'none',
    MODEL_SMALL: 'small-1',
    MODEL_STRONG: 'strong-1',
  }
  ;[house, browser] = await Promise.all([openHouse({ env, key }), openBrowser()])
  await house.add('Skerry', '# Skerry\n\nThe lighthouse of Skerry is 31 metres high.\n', 'islands')
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

it('names the model whose calls fail, since when, the last error, and what to do', async () => {
  const client = createClient({ url: house.url, key })
  await client.ask({ question: 'How high is the lighthouse of Skerry?' }, { waitSeconds: 30 })
  await expect.poll(async () => (await client.overview()).models?.some(({ failed }) => failed > 0)).toBe(true)
  const { page, faults, close } = await browser.visit({ url: house.url, key })
  await page.goto('/ops')
  const verdict = page.getByRole('status').filter({ hasText: 'Something is wrong.' })
  await verdict.waitFor()
  const line = verdict.getByRole('listitem').filter({ hasText: /Model small-1 at 127\.0\.0\.1/ })
  expect(await line.textContent()).toMatch(/(\d+) of \1 calls failed in the last hour\. Since .*Check the server/)
  expect(await line.locator('q').textContent()).not.toBe('')
  await expect.poll(() => verdict.textContent()).toContain('ran without a model')
  expect(await page.getByText('All is well').count()).toBe(0)
  expect(await seriousFaults(page)).toEqual([])
  await line.getByRole('link', { name: 'Runbook' }).click()
  await page.getByRole('heading', { name: 'Models fail' }).waitFor()
  expect(faults).toEqual([])
  await close()
})
