import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { answerOf, ask } from './ask-page'
import { type Browser, openBrowser } from './browser'
import { parkMany } from './parked-runs'

const keys = { all: 'all-rights-key-1', asker: 'asker-only-key-1' }
let house: House
let browser: Browser
let held: string
beforeAll(async () => {
  const env = { API_KEYS: `${keys.all}:acme:asker+reviewer+admin:*,${keys.asker}:acme:asker:*` }
  ;[house, browser] = await Promise.all([openHouse({ env, key: keys.all }), openBrowser()])
  ;[held = ''] = await parkMany(house.redisUrl, 1)
  await house.add('The lighthouse', '# The lighthouse\n\nThe lighthouse of Skerry is 31 metres high.', 'islands')
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})
const visit = async (key: string, width = 1_280) => {
  const visited = await browser.visit({ url: house.url, key, width, height: 800 })
  visited.page.setDefaultTimeout(10_000)
  return visited
}

describe('the frame of every page', () => {
  it('names the page in its title', async () => {
    const { page, faults, close } = await visit(keys.all)
    const titles = {
      '/': 'Plumbline',
      '/documents': 'Documents · Plumbline',
      '/documents/islands': 'islands · Plumbline',
      '/desk': '(1) Desk · Plumbline',
      '/desk/rules': 'Rules · Plumbline',
      '/keys': 'API keys · Plumbline',
      '/ops': 'Ops · Plumbline',
    }
    for (const [address, title] of Object.entries(titles)) {
      await page.goto(address)
      await expect.poll(() => page.title()).toBe(title)
    }
    expect(faults).toEqual([])
    await close()
  })

  it('says what an unknown address is, as a page, also before anybody signed in', async () => {
    const unknown = await fetch(`${house.url}/nonsense`, { headers: { accept: 'text/html' } })
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const asked = await fetch(`${house.url}/nonsense`)
    expect([asked.status, asked.headers.get('content-type')]).toEqual([401, 'application/problem+json'])
    const { page, close } = await visit(keys.asker)
    await page.goto('/nonsense')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await page.title()).toBe('Page not found · Plumbline')
    await page.getByRole('link', { name: 'ask a question' }).click()
    await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor()
    await close()
  })

  it('says that a collection is not there', async () => {
    const { page, close } = await visit(keys.asker)
    await page.goto('/documents/none')
    await page.getByText('There is no collection with this name.').waitFor()
    await close()
  })

  it('says which names a new collection may have, with an example', async () => {
    const { page, faults, close } = await visit(keys.all)
    await page.goto('/documents')
    await page.getByRole('button', { name: 'New collection' }).click()
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('My papers!')
    await page.getByText('Use lower-case letters, digits and dashes, for example my-papers.').waitFor()
    expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await name.fill('my-papers')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'my-papers' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  it('says that no model is set up, not that it is offline', async () => {
    const { page, close } = await visit(keys.all)
    await page.goto('/documents')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByText('no model').waitFor()
    expect(await navigation.innerText()).not.toContain('offline')
    await close()
  })

  it('shows a generated description of a collection small, in two lines, and says that it is generated', async () => {
    const titles = Array.from({ length: 30 }, (_, n) => `A note on the lighthouse, number ${n}`)
    await Promise.all(titles.map((title) => house.add(title, `# ${title}\n\nIt is lit.`, 'notes')))
    const { page, close } = await visit(keys.all)
    await page.goto('/documents')
    const row = page.getByRole('listitem').filter({ hasText: 'generated description' }).filter({ hasText: 'notes' })
    const about = row.getByText('A note on the lighthouse').first()
    await about.waitFor()
    expect(await about.evaluate((one) => getComputedStyle(one).fontSize)).toBe('12px')
    expect(await about.evaluate((one) => one.clientHeight)).toBeLessThanOrEqual(40)
    await page.goto('/documents/notes')
    await page.getByText('This description was generated from the titles and headings of the documents.').waitFor()
    await close()
  })

  it('says since when the server is away, and reads everything again when it is back', async () => {
    const { page, close } = await visit(keys.asker)
    await page.goto('/documents')
    await page.getByRole('link', { name: 'islands' }).waitFor()
    await page.route('**/v1/**', (route) => route.abort())
    await page.getByRole('link', { name: 'islands' }).click()
    await page.getByText(/^Not connected since \d\d:\d\d\. This page may be out of date\. Retrying …$/).waitFor()
    await page.unroute('**/v1/**')
    await page.getByRole('link', { name: 'The lighthouse' }).waitFor()
    await expect.poll(() => page.getByText('Not connected').count()).toBe(0)
    await close()
  })

  it('has keys on every page, which never reach what a letter does there', async () => {
    const { page, faults, close } = await visit(keys.all)
    await page.goto('/documents')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('go to Desk').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/desk/)
    await page.getByRole('button', { name: /^Approve/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor()
    expect((await house.client.run(held)).status).toBe('parked')
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('/')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
    const turn = await ask(page, 'How high is the lighthouse of Skerry?')
    await answerOf(turn).getByText('31 metres').first().waitFor()
    expect(faults).toEqual([])
    await close()
  })

  it('lets the keyboard past the navigation', async () => {
    const { page, close } = await visit(keys.all)
    await page.goto('/documents')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
    await close()
  })
})

it('opens a source from the citation in the answer of a run', async () => {
  const { id } = await house.client.ask({ question: 'How high is the lighthouse of Skerry?' }, { waitSeconds: 20 })
  const { page, faults, close } = await visit(keys.all)
  await page.goto(`/ops/runs/${id}`)
  await page.getByRole('region', { name: 'Answer' }).getByRole('link', { name: 'Source 1' }).first().click()
  await page.waitForURL(/\/documents\/islands\/.+\?passage=/)
  await page.getByRole('heading', { name: 'The lighthouse' }).first().waitFor()
  expect(faults).toEqual([])
  await close()
})

it('keeps its whole navigation, and each question in three lines, within a phone', async () => {
  const { page, faults, close } = await visit(keys.all, 390)
  await page.goto('/')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await navigation.getByRole('button', { name: 'Sign out' }).waitFor()
  await navigation.getByText('1', { exact: true }).waitFor()
  expect(await navigation.evaluate((nav) => nav.scrollWidth)).toBe(390)
  const question = `How high is the lighthouse of Skerry${', that stands on the northern rock'.repeat(3)}?`
  await ask(page, question)
  const heading = page.getByRole('heading', { name: question, level: 2 })
  const height = (): Promise<number> => heading.evaluate((element) => element.clientHeight)
  const clamped = await height()
  await page.getByRole('button', { name: 'Show the whole question' }).click()
  expect(await height()).toBeGreaterThan(clamped)
  expect(faults).toEqual([])
  await close()
})

describe('the first visit', () => {
  it('loads at most 150 KB of compressed script before the page is painted', async () => {
    const page = await (await fetch(house.url)).text()
    const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path)
    const sizes = await Promise.all(
      scripts.map(async (path) => gzipSync(await (await fetch(`${house.url}${path}`)).text()).length),
    )
    expect(scripts.length).toBeGreaterThan(0)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150 * 1_024)
  })

  it('paints the frame of the page before its script has arrived', async () => {
    const { page, close } = await visit(keys.all)
    await page.route('**/*.js', (route) => route.abort())
    await page.goto('/')
    await page.getByText('Plumbline', { exact: true }).waitFor()
    // The browser records a paint after its frame was shown.
    await expect.poll(() => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)).toBe(1)
    await close()
  })

  it('shows a reviewer what is held and why, and opens it', async () => {
    const { page, faults, close } = await visit(keys.all)
    await page.goto('/')
    const card = page.getByRole('region', { name: 'Held answers' })
    await card
      .getByText(/1 answer is held for review\. It says “The bank can hold at most 30 days of vacation”\./)
      .waitFor()
    await card.getByText('The source contradicts this claim: The passage says 27 days.').waitFor()
    await card.getByRole('link', { name: 'Review this answer' }).click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/desk/${held}`)
    expect(faults).toEqual([])
    await close()
  })

  it('shows the contradicted answer although another one is due before it', async () => {
    const rules = await house.client.rules()
    const hold = { everything: true, samplePercent: 0, collections: [], words: [] }
    const deadline = { minutes: 60, then: 'refuse' } as const
    const { version } = await house.client.putRules({ hold, deadline, version: rules.version })
    await house.client.ask({ question: 'How high is the lighthouse?', collection: 'islands' }, { waitSeconds: 20 })
    await house.client.putRules({ hold: rules.hold, deadline: rules.deadline, version })
    expect((await house.client.reviews()).items.map(({ runId }) => runId).indexOf(held)).toBe(1)
    const { page, faults, close } = await visit(keys.all)
    await page.goto('/')
    await page
      .getByText(/2 answers are held for review\. One of them says “The bank can hold at most 30 days of vacation”\./)
      .waitFor()
    expect(faults).toEqual([])
    await close()
  })
})
