import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, createClient } from '@plumbline/client'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser } from './browser'
import { parkMany } from './parked-runs'

const fixed = 'settings-key-1'
let house: House
let browser: Browser
let rita: Client
let ann: string
let held: string
beforeAll(async () => {
  ;[house, browser] = await Promise.all([
    openHouse({ stages: [], env: { API_KEYS: `${fixed}:acme:admin:*` }, key: fixed }),
    openBrowser(),
  ])
  ;[held = ''] = await parkMany(house.redisUrl, 1)
  const keyOf = async (name: string, role: 'reviewer' | 'admin'): Promise<string> =>
    (await house.client.createKey({ name, roles: [role], access: 'all' })).key
  rita = createClient({ url: house.url, key: await keyOf('Rita Maas', 'reviewer') })
  ann = await keyOf('Ann Marsh', 'admin')
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

it('names people by their keys wherever they appear', async () => {
  const { name: id } = await rita.me()
  await rita.assign(held, { to: id })
  await rita.addNote(held, { text: 'Ask the personnel office.' })
  await rita.take(held)
  const { page, faults, close } = await browser.visit({ url: house.url, key: ann })
  page.setDefaultTimeout(10_000)
  await page.goto('/desk')
  await page.getByRole('list', { name: 'Held answers' }).getByText('Rita Maas has it open').waitFor()
  await page.goto(`/desk/${held}`)
  await page.getByText('Rita Maas has this draft open until').waitFor()
  await page.getByText('assigned to Rita Maas').waitFor()
  await page.locator('.notes').getByText('Rita Maas, ').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByText('Ann Marsh · acme').waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/key-/)
  await page.goto('/keys')
  const entry = page.getByRole('row').filter({ hasText: 'note' })
  await entry.getByText('Rita Maas').waitFor()
  await entry.getByText(id).waitFor()
  expect(faults).toEqual([])
  await close()
})
