import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser, type Visit } from './browser'
import { parkMany } from './parked-runs'

const keys = { rita: 'rita-key-1', sam: 'sam-key-12' }
let house: House
let browser: Browser
let parked: string[]
beforeAll(async () => {
  const env = { API_KEYS: `${keys.rita}:acme:asker+reviewer:*,${keys.sam}:acme:reviewer:*` }
  ;[house, browser] = await Promise.all([openHouse({ stages: [], env, key: keys.rita }), openBrowser()])
  parked = await parkMany(house.redisUrl, 12)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const open = async (address: string): Promise<Visit> => {
  const visited = await browser.visit({ url: house.url, key: keys.rita, width: 1_440, height: 900 })
  visited.page.setDefaultTimeout(10_000)
  await visited.page.goto(address)
  return visited
}
const rows = (page: Page) => page.getByRole('list', { name: 'Held answers' }).getByRole('listitem')

it('shows rows of at most 48 px with due time, reason and risk, and how many others have open', async () => {
  await createClient({ url: house.url, key: keys.sam }).take(parked[11] ?? '')
  const { page, faults, close } = await open('/desk')
  await rows(page).nth(11).getByText('opened by').waitFor()
  for (const box of await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height)))
    expect(box).toBeLessThanOrEqual(48)
  await rows(page).first().getByText('contradicted').waitFor()
  await rows(page).first().getByText('high risk').waitFor()
  await page.getByText('1 opened by others').waitFor()
  const badge = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Desk/ })
  await page.getByRole('heading', { name: '12 held answers' }).waitFor()
  await expect.poll(() => badge.textContent()).toBe('Desk12')
  expect(faults).toEqual([])
  await close()
})

it('keeps a saved view with its search through a reload, until it is deleted', async () => {
  const { page, faults, close } = await open('/desk')
  await page.getByPlaceholder('Search by question, asker or draft').fill('7')
  await page.getByRole('heading', { name: '1 found' }).waitFor()
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByLabel('View name').fill('Seven')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.goto('/desk')
  await page.getByRole('heading', { name: '12 held answers' }).waitFor()
  await page.getByLabel('Saved view').selectOption('Seven')
  await page.getByRole('heading', { name: '1 found' }).waitFor()
  await page.getByRole('button', { name: 'Delete view' }).click()
  await page.goto('/desk')
  expect(await page.getByLabel('Saved view').locator('option').allTextContents()).not.toContain('Seven')
  expect(faults).toEqual([])
  await close()
})

it('selects a range by keys, and shows what a decision on it needs', async () => {
  const { page, faults, close } = await open(`/desk/${parked[0]}`)
  await page.getByRole('heading', { name: '(1)' }).waitFor()
  await rows(page).nth(11).waitFor()
  await page.keyboard.press('v')
  await page.keyboard.press('J')
  await page.getByRole('heading', { name: '(2)' }).waitFor()
  await page.keyboard.press('J')
  await page.getByRole('heading', { name: '(3)' }).waitFor()
  await page.keyboard.press('V')
  const bar = page.getByRole('region', { name: 'Decide several answers' })
  await bar.getByText('3 selected', { exact: true }).waitFor()
  await bar.getByText('3 selected drafts have a contradicted claim. To approve or reject, enter a reason.').waitFor()
  expect(await bar.getByRole('button', { name: 'Approve 3 selected' }).isDisabled()).toBe(true)
  await bar.getByLabel('Reason or note for all selected answers').fill('The handbook is old.')
  expect(await bar.getByRole('button', { name: 'Approve 3 selected' }).isEnabled()).toBe(true)
  await bar.getByRole('button', { name: 'Clear selection' }).click()
  await bar.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await close()
})

it('tells an asker that a run takes longer than usual, and that it continues without the page', async () => {
  const { id } = await house.client.ask({ question: 'Who serves this stage?' })
  const { page, faults, close } = await open('/')
  await page.clock.install()
  await page.goto(`/runs/${id}`)
  await page.getByText('The question is waiting to be processed.').or(page.getByText('Working.')).waitFor()
  await page.clock.fastForward(21_000)
  await page.getByText('This takes longer than usual. You can leave this page: the work continues.').waitFor()
  expect(faults).toEqual([])
  await close()
})
