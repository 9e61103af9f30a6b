import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { apiKeys, as, ask, textOf, visit } from './ask-page'
import { type Browser, openBrowser } from './browser'

const stock = [
  '| Article | In stock | Reorder at |',
  '|---|---|---|',
  ...Array.from({ length: 150 }, (_, at) => `| Oak board ${at} | ${at} | 9 |`),
].join('\n')

let house: House
let browser: Browser
beforeAll(async () => {
  const env = { API_KEYS: apiKeys, EMBEDDING_MODEL: 'none', CASES_DAYS: '30' }
  ;[house, browser] = await Promise.all([openHouse({ env }), openBrowser()])
  const admin = as(house, 'admin')
  const planets = await readFile(new URL('../../../sample/planets.md', import.meta.url), 'utf8')
  const added = await Promise.all([
    admin.addDocument({ title: 'Planets', text: planets, collection: 'planets' }),
    admin.addDocument({ title: 'Stock', text: `# Stock\n\n${stock}\n`, collection: 'stock' }),
  ])
  for (const { id } of added)
    for await (const { status } of admin.documentEvents(id)) if (status === 'failed') throw new Error(status)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

it('says below an answer how many rows of its table are quoted', async () => {
  const { page, faults, close } = await visit(browser, house, 'asker')
  await page.goto('/')
  await page.getByLabel('Collection').selectOption('planets')
  await page.getByRole('textbox', { name: 'Question' }).focus()
  const turn = await ask(page, 'What is the length of day of Mars?')
  await turn.locator('blockquote').first().waitFor()
  await turn.locator('.answer').getByText('Mars · Length of day: 24.7 hours').waitFor()
  await turn.locator('.quotes').getByText('Orbits and days · 1 of 8 rows').waitFor()
  expect(faults).toEqual([])
  await close()
})

it('says so for a held answer, in its trace and in its case', async () => {
  const admin = as(house, 'admin')
  const { version } = await admin.rules()
  const hold = { everything: false, samplePercent: 0, collections: ['stock'], words: [] }
  await admin.putRules({ version, hold, deadline: null })
  const question = 'Which boards are below their reorder level?'
  const { id } = await as(house, 'asker').ask({ question, collection: 'stock' })
  await expect.poll(async () => (await admin.run(id)).status).toBe('parked')
  const review = await admin.review(id)
  const [quote] = review.draft.quotes ?? []
  const shown = `${quote?.text.match(/Oak board/g)?.length} of 150 rows`

  const held = await visit(browser, house, 'admin')
  await held.page.goto(`/desk/${id}`)
  await held.page.getByRole('heading', { name: 'How the answer was found' }).waitFor()
  expect(await textOf(held.page.locator('.draft'))).toContain(shown)
  const spans = held.page.locator('.history details.span')
  for (const span of await spans.all()) await span.locator('summary').click()
  expect((await spans.allTextContents()).some((text) => text.includes(shown))).toBe(true)
  expect(held.faults).toEqual([])
  await held.close()

  await admin.decide(id, { taskId: review.taskId, decisionId: 'd1', action: 'approve' })
  await expect.poll(async () => (await admin.cases()).items.length).toBe(1)
  const { page, faults, close } = await visit(browser, house, 'admin')
  await page.goto('/desk/cases')
  await page.getByRole('link', { name: question }).click()
  await page.locator('.cases blockquote').first().waitFor()
  expect(await textOf(page.locator('.cases'))).toContain(shown)
  expect(faults).toEqual([])
  await close()
})
