import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser } from './browser'

let [house, browser]: [House | undefined, Browser | undefined] = [undefined, undefined]
beforeAll(async () => {
  house = await openHouse({ env: { API_KEYS: 'asker-key-1:acme:asker,admin-key-1:acme:admin+operator' } })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

describe('the app', () => {
  it('asks for a key, says when it is not known, and shows what the key may use', async () => {
    const { page, faults, close } = await browser!.visit({ url: house!.url })
    await page.goto('/')
    await page.getByLabel('Key', { exact: true }).fill('no-such-key')
    faults.length = 0
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    faults.length = 0
    await page.getByLabel('Key', { exact: true }).fill('asker-key-1')
    await page.keyboard.press('Enter')
    await page.getByRole('navigation').waitFor()
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Ask', 'Documents'])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Key', { exact: true }).waitFor()
    expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0)
    await close()
  })

  it('opens every page at its address and breaks none of its own rules', async () => {
    const { page, faults, close } = await browser!.visit({ url: house!.url, key: 'admin-key-1' })
    for (const [address, link] of [
      ['/', 'Ask'],
      ['/documents', 'Documents'],
      ['/desk', 'Desk'],
      ['/ops', 'Ops'],
    ] as const) {
      await page.goto(address)
      await page.getByRole('main').waitFor()
      expect(await page.getByRole('link', { name: link }).getAttribute('aria-current'), address).toBe('page')
    }
    expect(faults).toEqual([])
    await close()
  })
})
