import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, createClient } from '@plumbline/client'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser } from './browser'
import { parkMany } from './parked-runs'

const fixed = 'settings-key-1'
let house: House
let browser: Browser
let rita: Client
let keys: Record<'ann' | 'sam' | 'tim', string>
let held: string
beforeAll(async () => {
  ;[house, browser] = await Promise.all([
    openHouse({ stages: [], env: { API_KEYS: `${fixed}:acme:admin:*` }, key: fixed }),
    openBrowser(),
  ])
  ;[held = ''] = await parkMany(house.redisUrl, 1)
  const keyOf = async (name: string, role: 'asker' | 'reviewer' | 'admin'): Promise<string> =>
    (await house.client.createKey({ name, roles: [role], access: 'all' })).key
  rita = createClient({ url: house.url, key: await keyOf('Rita Maas', 'reviewer') })
  keys = {
    ann: await keyOf('Ann Marsh', 'admin'),
    sam: await keyOf('Sam Ode', 'reviewer'),
    tim: await keyOf('Tim Asker', 'asker'),
  }
  const { name: id } = await rita.me()
  await rita.assign(held, { to: id })
  await rita.addNote(held, { text: 'Ask the personnel office.' })
  await rita.take(held)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

it.each([
  ['an admin', 'ann', 'Ann Marsh'],
  ['a reviewer', 'sam', 'Sam Ode'],
] as const)('names people by their keys wherever they appear to %s', async (_, who, name) => {
  const { page, faults, close } = await browser.visit({ url: house.url, key: keys[who] })
  page.setDefaultTimeout(10_000)
  await page.goto('/desk')
  await page.getByRole('list', { name: 'Held answers' }).getByText('opened by Rita Maas').waitFor()
  await page.goto(`/desk/${held}`)
  await page.getByText('Rita Maas has this draft open until').waitFor()
  await page.getByText('assigned to Rita Maas').waitFor()
  await page.locator('.notes').getByText('Rita Maas, ').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByText(`${name} · acme`).waitFor()
  expect(await page.locator('body').innerText()).not.toMatch(/key-/)
  expect(faults).toEqual([])
  await close()
})

it('names people in the audit log, with their ids', async () => {
  const { name: id } = await rita.me()
  const { page, faults, close } = await browser.visit({ url: house.url, key: keys.ann })
  page.setDefaultTimeout(10_000)
  await page.goto('/keys')
  const entry = page.getByRole('row').filter({ hasText: 'note' })
  await entry.getByText('Rita Maas').waitFor()
  await entry.getByText(id).waitFor()
  expect(faults).toEqual([])
  await close()
})

it('tells an asker its own name, and no other', async () => {
  const asker = createClient({ url: house.url, key: keys.tim })
  expect((await asker.keyNames()).items.map(({ name }) => name)).toEqual(['Tim Asker'])
  const { page, faults, close } = await browser.visit({ url: house.url, key: keys.tim })
  page.setDefaultTimeout(10_000)
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByText('Tim Asker · acme').waitFor()
  expect(faults).toEqual([])
  await close()
})
