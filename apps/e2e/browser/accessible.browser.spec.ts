import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { type Browser, follow, openBrowser } from './browser'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let [house, browser]: [House | undefined, Browser | undefined] = [undefined, undefined]
beforeAll(async () => {
  house = await openHouse()
  await house.add('Planets', '# Moons\n\n| Planet | Moons |\n|---|---|\n| Mars | 2 |\n| Saturn | 146 |\n', 'planets')
  await house.client.ask(
    { question: 'How many moons does Mars have?', collection: 'planets', threadId: 'moons' },
    { waitSeconds: 20 },
  )
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

type Found = { id: string; impact: string; nodes: { target: string[] }[] }
/** Returns the targets lower or narrower than 24 px, except in running text. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(a, button, summary, select, textarea), nav a')].flatMap(
      (one) => {
        const { width, height } = one.getBoundingClientRect()
        return width > 0 && (width < 24 || height < 24) ? [`${one.tagName} ${one.innerText} ${width} x ${height}`] : []
      },
    ),
  )

const look = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => ['moderate', 'serious', 'critical'].includes(impact)).map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ target }) => ({ target })) })))`

it.each([
  ['light', 1_280],
  ['dark', 1_280],
  ['light', 390],
] as const)(
  'has no moderate or serious fault for anybody on any page: %s, %i px wide',
  { timeout: 120_000 },
  async (theme, width) => {
    const { page, close } = await browser!.visit({ url: house!.url, dark: theme === 'dark', width })
    page.setDefaultTimeout(10_000)
    const [document] = (await house!.client.documents({ collection: 'planets' })).items
    const [run] = (await house!.client.runs()).items
    const main = page.getByRole('main')
    const heading = (name: string | RegExp): Locator => main.getByRole('heading', { name, level: 1 })
    const pages: [address: string, shown: Locator][] = [
      ['/', heading('What do you want to know?')],
      ['/threads/moons', main.getByRole('article').locator('blockquote')],
      ['/documents', main.getByRole('link', { name: 'planets' })],
      ['/documents/planets', main.getByRole('row').getByText('Ready')],
      [`/documents/planets/${document?.id}`, main.getByRole('cell', { name: '146' })],
      ['/documents/planets/search?q=moons', main.locator('ol > li')],
      ['/desk', main.getByText('No held answers')],
      ['/desk/rules', main.getByText('Hold every answer to a question that contains one of these words')],
      ['/desk/cases', main.getByText('No cases are stored.')],
      ['/desk/flags', main.getByText('No flagged answers')],
      ['/ops', main.getByText('● accepting questions')],
      ['/ops/runs', main.getByRole('link', { name: 'How many moons does Mars have?' })],
      [`/ops/runs/${run?.id}`, heading('How many moons does Mars have?')],
      ['/ops/processes', main.getByRole('rowheader', { name: 'gateway' })],
      ['/ops/abandoned', main.getByText('No abandoned tasks.')],
      ['/keys', main.getByText('No keys yet.')],
    ]
    await page.goto('/')
    await page.evaluate(axe)
    for (const [address, shown] of pages) {
      await follow(page, address)
      await shown.first().waitFor()
      await page.locator('main:not([aria-busy="true"])').waitFor()
      const found = (await page.evaluate(look)) as Found[]
      expect(
        found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
        address,
      ).toEqual([])
      if (width > 760) continue
      expect(await smallTargets(page), address).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth'), address).toBe(width)
      expect(await page.getByRole('navigation', { name: 'Main' }).evaluate((nav) => nav.scrollWidth)).toBe(width)
    }
    await close()
  },
)
