import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser } from './browser'

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
const look = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact)).map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ target }) => ({ target })) })))`

it.each([
  ['light', 1_280],
  ['dark', 1_280],
  ['light', 390],
] as const)(
  'has no serious fault for anybody on any page: %s, %i px wide',
  { timeout: 120_000 },
  async (theme, width) => {
    const { page, close } = await browser!.visit({ url: house!.url, dark: theme === 'dark', width })
    const [document] = (await house!.client.documents({ collection: 'planets' })).items
    const [run] = (await house!.client.runs()).items
    const addresses = [
      '/',
      '/threads/moons',
      '/documents',
      '/documents/planets',
      `/documents/planets/${document?.id}`,
      '/documents/planets/search?q=moons',
      '/desk',
      '/desk/rules',
      '/desk/cases',
      '/desk/flags',
      '/ops',
      '/ops/runs',
      `/ops/runs/${run?.id}`,
      '/ops/processes',
      '/ops/abandoned',
    ]
    for (const address of addresses) {
      await page.goto(address)
      await page.locator('main:not([aria-busy="true"])').waitFor()
      await page.evaluate(axe)
      const found = (await page.evaluate(look)) as Found[]
      expect(
        found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
        address,
      ).toEqual([])
    }
    await close()
  },
)
