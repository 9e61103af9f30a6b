import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { openHouse, type House } from '../house'
import { apiKeys, as, box, fill, visit } from './ask-page'
import { type Browser, openBrowser, seriousFaults } from './browser'

let house: House
let browser: Browser
beforeAll(async () => {
  const env = { API_KEYS: apiKeys, POLICIES: 'standard,simple' }
  ;[house, browser] = await Promise.all([openHouse({ env }), openBrowser()])
  await fill(house)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

it('offers the policies of the operator, each with one line', async () => {
  const { page, faults, close } = await visit(browser, house, 'asker')
  await page.goto('/')
  await box(page).waitFor()
  const menu = page.getByLabel('Policy')
  await expect
    .poll(() => menu.getByRole('option').allTextContents())
    .toEqual([
      'Default policy: chosen by your operator, usually “standard”',
      'standard: plans the search and checks every claim',
      'simple: searches once and writes once, for short questions',
    ])
  await menu.selectOption('simple')
  const shown = page.locator('.choice', { has: menu }).locator('.chosen')
  expect(await shown.textContent()).toBe('simple')
  expect(await seriousFaults(page)).toEqual([])
  const sent = page.waitForRequest(/\/v1\/runs$/)
  await box(page).fill('How high is the lighthouse of Skerry?')
  await page.keyboard.press('Enter')
  expect((await sent).postDataJSON()).toMatchObject({ policy: 'simple' })
  expect(faults).toEqual([])
  await close()
})

it('refuses a question under another policy, but lets a collection have one', async () => {
  const question = 'How high is the lighthouse of Skerry?'
  const asker = as(house, 'asker')
  await expect(asker.ask({ question, policy: 'agentic' })).rejects.toMatchObject({
    problem: { status: 400, detail: expect.stringContaining('standard, simple') },
  })
  await as(house, 'admin').putCollection('islands', { description: 'Islands.', policy: 'agentic' })
  const { policy } = await createClient({ url: house.url, key: 'asker-key-1' }).ask({ question, collection: 'islands' })
  expect(policy).toBe('agentic')
})
