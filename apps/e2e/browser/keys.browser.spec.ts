import { readFileSync } from 'node:fs'
import axe from 'axe-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient, verifyAudit } from '@plumbline/client'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser } from './browser'

let [house, browser]: [House | undefined, Browser | undefined] = [undefined, undefined]
beforeAll(async () => {
  house = await openHouse({ stages: [], env: { API_KEYS: 'operator-key-1:ops:operator,asker-key-1:acme:asker' } })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const me = (key: string) => createClient({ url: house!.url, key }).me()

it('makes a key that is shown once, rotates and revokes it, and says what was changed', async () => {
  const operator = createClient({ url: house!.url, key: 'operator-key-1' })
  const admin = await operator.createKey({ name: 'Ann', roles: ['admin'], tenant: 'acme', access: ['staff'] })
  const { page, faults, close } = await browser!.visit({ url: house!.url, key: admin.key })
  page.setDefaultTimeout(10_000)
  await page.goto('/')
  await page.getByRole('link', { name: 'API keys' }).click()
  const list = page.getByRole('region', { name: 'Keys', exact: true })
  await list.getByText('1 active key. 1 more key is set in the gateway settings. Change it there.').waitFor()
  expect(await page.getByLabel('operator').count()).toBe(0)

  await page.getByLabel('Name', { exact: true }).fill('The help page')
  await page.getByLabel('Access tags, or * for all documents').fill('board')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('The key would have access tags that your own key does not have.').waitFor()
  faults.length = 0
  await page.getByLabel('Access tags, or * for all documents').fill('staff')
  await page.getByRole('button', { name: 'Create key' }).click()
  const shown = list.getByRole('status').locator('code')
  const key = (await shown.textContent()) ?? ''
  expect(await me(key)).toMatchObject({ tenant: 'acme', roles: ['asker'] })

  await list.getByRole('button', { name: /^Rotate The help page/ }).click()
  await expect.poll(() => shown.textContent()).not.toBe(key)
  const rotated = (await shown.textContent()) ?? ''
  await list.getByText('the old key works until').waitFor()
  expect([(await me(key)).name, (await me(rotated)).name].every((name, _, [first]) => name === first)).toBe(true)

  await page.reload()
  await list.getByText('The help page').waitFor()
  expect(await page.content()).not.toContain(rotated)
  await list.getByRole('button', { name: 'Revoke The help page' }).click()
  await list.getByRole('button', { name: 'Revoke The help page for good' }).click()
  await list.getByText(/^reads documents without access tags or with the tag staff · revoked/).waitFor()
  await expect(me(rotated)).rejects.toMatchObject({ problem: { status: 401 } })

  await list.getByRole('button', { name: 'Revoke Ann' }).click()
  await list.getByRole('button', { name: 'Revoke Ann for good' }).click()
  await list.getByText('This is the last admin key of acme').waitFor()
  await list.getByRole('button', { name: 'Revoke the last admin key, Ann' }).waitFor()
  faults.length = 0
  await list.getByRole('button', { name: 'Do not revoke' }).click()

  const changes = page.getByRole('region', { name: 'Audit log' })
  for (const action of ['key.created', 'key.rotated', 'key.revoked'])
    await changes.getByRole('cell', { name: action }).first().waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    changes.getByRole('button', { name: 'Download all' }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8').split('\n')
  expect(await verifyAudit(lines)).toMatchObject({ kind: 'whole', tenant: 'acme' })

  await page.evaluate(axe.source)
  const found = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id }) => id))`,
  )
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await close()
})

it('is hidden from callers who may create no keys', async () => {
  const { page, close } = await browser!.visit({ url: house!.url, key: 'asker-key-1' })
  await page.goto('/keys')
  await page.getByText('Only admins and operators can manage keys.').waitFor()
  expect(await page.getByRole('link', { name: 'API keys' }).count()).toBe(0)
  await close()
})

it('gives a first key the access that everybody has without keys, unless its maker changes this', async () => {
  const local = await openHouse({ stages: [] })
  const { page, faults, close } = await browser!.visit({ url: local.url })
  page.setDefaultTimeout(10_000)
  await page.goto('/keys')
  await page.getByLabel('Name', { exact: true }).fill('Rita')
  expect(await page.getByLabel('Access tags, or * for all documents').inputValue()).toBe('*')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('region', { name: 'Keys', exact: true }).getByRole('status').locator('code').waitFor()
  expect((await local.client.keys()).items).toMatchObject([{ name: 'Rita', access: 'all' }])
  expect(faults).toEqual([])
  await close()
  await local.close()
})
