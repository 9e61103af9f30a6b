import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser, seriousFaults, type Visit } from './browser'
import { parkMany } from './parked-runs'

const keys = { rita: 'rita-key-1', sam: 'sam-key-12', ops: 'ops-key-123' }
const roles = { rita: 'reviewer', sam: 'reviewer', ops: 'operator' } as const
type Who = keyof typeof keys

let house: House
let browser: Browser
beforeAll(async () => {
  const apiKeys = (Object.keys(keys) as Who[]).map((who) => `${keys[who]}:acme:${roles[who]}:*`)
  ;[house, browser] = await Promise.all([
    openHouse({ stages: [], env: { API_KEYS: apiKeys.join() }, key: keys.rita }),
    openBrowser(),
  ])
  await parkMany(house.redisUrl, 5)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const visit = async (who: Who, path: string, size: { width?: number; height?: number } = {}): Promise<Visit> => {
  const visited = await browser.visit({ url: house.url, key: keys[who], ...size })
  visited.page.setDefaultTimeout(10_000)
  await visited.page.goto(path)
  return visited
}
const work = (page: Page) => page.getByRole('group', { name: 'Your work' })
const takesWork = (page: Page) => work(page).getByRole('switch', { name: 'Assign answers to me' })
const most = (page: Page) => work(page).getByRole('combobox', { name: 'Maximum number of answers' })
const status = (page: Page, text: string) => work(page).getByRole('status').getByText(text).waitFor()
const rows = (page: Page) => page.getByRole('list', { name: 'Held answers' }).getByRole('link')

it(
  'gives reviewers their work, on a desktop with the keyboard and on a phone, and takes it back',
  { timeout: 60_000 },
  async () => {
    const rita = await visit('rita', '/desk')
    // The first item opens by itself and takes the focus.
    await rita.page.getByRole('heading', { name: '(1)' }).waitFor()
    await takesWork(rita.page).focus()
    await rita.page.keyboard.press('Tab')
    expect(await most(rita.page).evaluate((one) => one === document.activeElement)).toBe(true)
    await most(rita.page).selectOption('2')
    await rita.page.keyboard.press('Shift+Tab')
    await rita.page.keyboard.press('Space')
    await status(rita.page, '2 of 2 answers are assigned to you')
    await work(rita.page).getByRole('button', { name: 'Assigned to me (2)' }).click()
    await expect
      .poll(() => rows(rita.page).allTextContents())
      .toEqual([expect.stringMatching(/\(1\)[^]*assigned to you/), expect.stringMatching(/\(2\)[^]*assigned to you/)])
    expect(await seriousFaults(rita.page)).toEqual([])

    const sam = await visit('sam', '/desk', { width: 390, height: 844 })
    await takesWork(sam.page).click()
    await status(sam.page, '3 of 5 answers are assigned to you')
    await work(sam.page).getByRole('button', { name: 'Assigned to me (3)', pressed: false }).click()
    await work(sam.page).getByRole('button', { name: 'Assigned to me (3)', pressed: true }).waitFor()
    await expect.poll(() => rows(sam.page).count()).toBe(3)
    expect(await seriousFaults(sam.page)).toEqual([])
    expect(await sam.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)

    const ops = await visit('ops', '/ops')
    await ops.page.getByText('2 reviewers available').waitFor()

    await rita.page.reload()
    await status(rita.page, '2 of 2 answers are assigned to you')
    expect(await most(rita.page).inputValue()).toBe('2')
    await takesWork(rita.page).click()
    await status(sam.page, '4 of 5 answers are assigned to you')
    expect(await takesWork(rita.page).isChecked()).toBe(false)
    const { counts } = await createClient({ url: house.url, key: keys.sam }).reviews()
    expect(Object.values(counts.assignees).sort()).toEqual([1, 4])
    expect([...rita.faults, ...sam.faults, ...ops.faults]).toEqual([])
    await Promise.all([rita.close(), sam.close(), ops.close()])
  },
)

it('renews the availability while the reviewer uses the page, and not while the page is idle', async () => {
  const { page, faults, close } = await browser.visit({ url: house.url, key: keys.rita })
  page.setDefaultTimeout(10_000)
  let renewed = 0
  page.on('request', (request) => void (renewed += request.method() === 'PUT' ? 1 : 0))
  await page.clock.install()
  await page.goto('/desk')
  await takesWork(page).click()
  await status(page, 'of 5 answers are assigned to you')
  expect(renewed).toBe(1)
  await page.clock.fastForward(61_000)
  await expect.poll(() => renewed).toBe(2)
  await page.clock.fastForward(16 * 60_000)
  const listed = page.waitForResponse((response) => response.url().includes('/v1/reviews?'))
  await page.clock.fastForward(61_000)
  await listed
  expect(renewed).toBe(2)
  await page.keyboard.press('Shift')
  await page.clock.fastForward(61_000)
  await expect.poll(() => renewed).toBe(3)
  await takesWork(page).click()
  expect(faults).toEqual([])
  await close()
})
