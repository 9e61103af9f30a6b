import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, createClient } from '@plumbline/client'
import { openHouse, type House } from '../house'
import { type Browser, follow, openBrowser, type Visit } from './browser'
import { parkMany } from './parked-runs'

const keys = { reviewer: 'rita-key-1', admin: 'admin-key-1' }

let house: House
let browser: Browser
let admin: Client
let parked: string[]
beforeAll(async () => {
  house = await openHouse({
    stages: [],
    env: { API_KEYS: `${keys.reviewer}:acme:reviewer:*,${keys.admin}:acme:admin:*` },
  })
  ;[browser, parked] = await Promise.all([openBrowser(), parkMany(house.redisUrl, 5)])
  admin = createClient({ url: house.url, key: keys.admin })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const visit = async (key: string): Promise<Visit> => {
  const visited = await browser.visit({ url: house.url, key })
  visited.page.setDefaultTimeout(10_000)
  return visited
}
const idOf = (n: number): string => parked[n] ?? ''
const openAt = async (page: Page, n: number): Promise<void> => {
  await page.goto(`/desk/${idOf(n)}`)
  await page.getByRole('heading', { name: `(${n + 1})` }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).isEnabled()).toBe(true)
}

const typed = 'The bank can hold at most 27 days [1].'
const startEdit = async (page: Page): Promise<void> => {
  await page.keyboard.press('e')
  for (const n of [2, 3]) await page.getByLabel(`Sentence ${n}`).fill('')
  await page.getByLabel('Sentence 1').fill(typed)
}

it('keeps a typed edit through a conflict: it can be copied once the draft is no longer held', async () => {
  const { page, close } = await visit(keys.reviewer)
  await openAt(page, 0)
  await startEdit(page)
  await admin.cancel(idOf(0))
  await page.keyboard.press('Control+Enter')
  const unsent = page.getByRole('region', { name: 'Unsent edit' })
  await unsent.getByText(typed).waitFor()
  await unsent.getByRole('button', { name: 'Copy' }).click()
  await unsent.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => sessionStorage.length)).toBe(2)
  await unsent.getByRole('button', { name: 'Discard edit' }).click()
  await unsent.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => sessionStorage.length)).toBe(1)
  await close()
})

it('gives the typed text back when the edit is undone', async () => {
  const { page, faults, close } = await visit(keys.reviewer)
  await openAt(page, 2)
  await startEdit(page)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('heading', { name: '(3)' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).isEnabled()).toBe(true)
  await page.keyboard.press('e')
  await expect.poll(() => page.getByLabel('Sentence 1').inputValue()).toBe(typed)
  expect(faults).toEqual([])
  await close()
})

it('cites a passage in the sentence with the focus, and compares the edit with the draft', async () => {
  const { page, faults, close } = await visit(keys.reviewer)
  await openAt(page, 1)
  await page.keyboard.press('e')
  const first = page.getByLabel('Sentence 1')
  await first.fill('Managers decide')
  await first.press('End')
  const sources = page.getByRole('group', { name: 'Cite a passage in this sentence' }).getByRole('button')
  expect(await sources.count()).toBe(2)
  await sources.nth(1).click()
  expect(await first.inputValue()).toBe('Managers decide [2]')
  await page.getByText('changed, not checked yet').waitFor()
  await page.getByRole('complementary', { name: 'Evidence' }).getByText('Managers plan vacation').first().waitFor()
  await page.getByRole('button', { name: 'Compare with the draft' }).click()
  await expect.poll(async () => (await page.locator('ins').allTextContents()).join('')).toContain('decide')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(faults).toEqual([])
  await close()
})

it('keeps a typed edit through a reload, and drops it on Cancel', async () => {
  const { page, close } = await visit(keys.reviewer)
  await openAt(page, 1)
  await startEdit(page)
  await page.reload()
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).isEnabled()).toBe(true)
  await page.keyboard.press('e')
  expect(await page.getByLabel('Sentence 1').inputValue()).toBe(typed)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.keyboard.press('e')
  expect(await page.getByLabel('Sentence 2').inputValue()).toContain('30 days')
  await close()
})

it('keeps a typed edit while a revoked key is replaced in a form over the page', async () => {
  const temporary = await admin.createKey({ name: 'Temp', roles: ['reviewer'], access: 'all' })
  const { page, close } = await visit(temporary.key)
  await openAt(page, 2)
  await startEdit(page)
  const { key } = await admin.rotateKey(temporary.id, 0)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Sentence 1').inputValue()).toBe(typed)
  await page.getByLabel('Sentence 1').press('Control+Enter')
  await expect.poll(async () => (await admin.review(idOf(2))).pending?.action).toBe('edit')
  await close()
})

it('names a decision that failed after its reviewer opened another draft', async () => {
  const { page, close } = await visit(keys.reviewer)
  const { promise: opened, resolve: go } = Promise.withResolvers<void>()
  await page.route('**/decision', async (route) => {
    await opened
    await route.continue()
  })
  await openAt(page, 3)
  await page.keyboard.press('x')
  await page.keyboard.type('The handbook is old.')
  await page.keyboard.press('Enter')
  await follow(page, `/desk/${idOf(4)}`)
  await page.getByRole('heading', { name: '(5)' }).waitFor()
  await admin.cancel(idOf(3))
  go()
  const failed = page.locator('.undo', { hasText: 'The decision failed' })
  await page.getByRole('alert').filter({ hasText: 'The decision failed' }).waitFor()
  await failed.getByText('This draft is no longer open for a decision').waitFor()
  await failed.getByRole('link', { name: '(4)' }).click()
  await failed.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe(`/desk/${idOf(3)}`)
  await close()
})
