import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser } from './browser'

const keys = { asker: 'asker-key-1', admin: 'admin-key-1', other: 'other-key-1', board: 'board-key-1' }
const API_KEYS = [
  `${keys.asker}:acme:asker:staff`,
  `${keys.admin}:acme:admin:*`,
  `${keys.other}:acme:reviewer:shop`,
  `${keys.board}:acme:reviewer:staff+board`,
].join()

let house: House
let browser: Browser
beforeAll(async () => {
  ;[house, browser] = await Promise.all([openHouse({ env: { API_KEYS }, key: keys.admin }), openBrowser()])
  await house.add('Leave', '# Leave\n\nEverybody has 30 days of leave.', 'staff')
  const { hold, deadline, version } = await house.client.rules()
  await house.client.putRules({ hold: { ...hold, everything: true }, deadline, version })
  const asker = createClient({ url: house.url, key: keys.asker })
  for (const question of ['How many days of leave are there?', 'Who has leave?'])
    await asker.ask({ question, collection: 'staff' }, { waitSeconds: 20 })
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

it('tells a reviewer how many held answers it may not read, and which access tags they need', async () => {
  const { page, faults, close } = await browser.visit({ url: house.url, key: keys.other })
  page.setDefaultTimeout(10_000)
  await page.goto('/desk')
  await page.getByRole('heading', { name: '2 held answers are hidden from you' }).waitFor()
  await page
    .getByText('Your key lacks the required access tags: staff. Ask an admin for a key with these tags.')
    .waitFor()
  await page.getByText('2 hidden from you').waitFor()
  expect(await page.locator('main').innerText()).not.toContain('leave')
  expect(faults).toEqual([])
  await close()
})

it('hides nothing from a reviewer with the tags, or with access to everything', async () => {
  for (const key of [keys.board, keys.admin]) {
    const list = await createClient({ url: house.url, key }).reviews()
    expect([list.counts.total, list.hidden]).toEqual([2, undefined])
  }
})
