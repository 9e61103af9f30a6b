import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { addDamaged, apiKeys, as, ask, box, fill, textOf, visit } from './ask-page'
import { type Browser, openBrowser } from './browser'

let house: House
let browser: Browser
beforeAll(async () => {
  ;[house, browser] = await Promise.all([
    openHouse({ env: { API_KEYS: apiKeys, EMBEDDING_MODEL: 'none' } }),
    openBrowser(),
  ])
  await fill(house)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const add = async (title: string, text: string): Promise<void> => {
  const { id } = await as(house, 'admin').addDocument({ title, text, collection: 'islands' })
  for await (const { status } of as(house, 'admin').documentEvents(id)) if (status === 'failed') throw new Error(status)
}

describe('without a model', () => {
  it('quotes the closest places, opens their source beside them, and goes from one to the next by keyboard', async () => {
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    expect(await textOf(page.getByRole('region', { name: 'Questions to try' }))).toContain(
      'How high is the lighthouse of Skerry?',
    )
    expect(await textOf(page.getByRole('region', { name: 'Your documents' }))).toContain('islands')
    const turn = await ask(page, 'How high is the lighthouse of Skerry, and who kept it from 1902?')
    await turn.locator('blockquote mark').first().waitFor()
    await page.waitForURL(/\/threads\/[\w-]{36}$/)
    expect(await turn.locator('blockquote mark').allTextContents()).toContain('lighthouse')
    expect(await turn.getByRole('table').count()).toBeGreaterThan(0)
    await turn.getByRole('button', { name: 'how the answer was found' }).click()
    await turn.getByRole('list', { name: 'Stages' }).getByText('step 1').waitFor()
    expect(await textOf(turn)).toContain('Searched for')
    await turn.getByRole('link', { name: 'Source 1' }).first().click()
    const source = page.getByRole('complementary', { name: 'Source' })
    await source.getByRole('heading', { name: /^Source 1/ }).waitFor()
    expect(await source.locator('mark').count()).toBeGreaterThan(0)
    expect(await source.getByRole('link', { name: 'Open in the document' }).getAttribute('href')).toMatch(
      /^\/documents\/islands\/d[0-9a-z]{24}\?passage=.+/,
    )
    await page.keyboard.press('ArrowRight')
    await source.getByRole('heading', { name: /^Source 2/ }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await source.getByRole('heading', { name: /^Source 1/ }).waitFor()
    await page.keyboard.press('Escape')
    await source.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.hash')).toBe('#source-1')
    expect(faults).toEqual([])
    await close()
  })

  it('joins the lines of a paragraph that its document breaks at a margin', async () => {
    const text = '# Lamps\n\nThe lamp of Skerry burns\nsperm oil, and its clockwork\nis wound every four hours.\n'
    await add('Lamps', text)
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    const turn = await ask(page, 'What does the lamp of Skerry burn?')
    const quote = turn.locator('blockquote').filter({ hasText: 'sperm oil' })
    const joined = 'The lamp of Skerry burns sperm oil, and its clockwork is wound every four hours.'
    await expect.poll(() => quote.innerText()).toContain(joined)
    await turn.getByRole('link', { name: 'Source 1' }).first().click()
    await expect.poll(() => page.locator('.passage').innerText()).toContain(joined)
    expect(faults).toEqual([])
    await close()
  })

  it('shows the value of a table cell as a row', async () => {
    await add(
      'Lamps of Skerry',
      '# Lamps\n\n| Lamp | Range (miles) |\n|---|---|\n| Old lamp | 12 |\n| New lamp | 18 |\n',
    )
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    const turn = await ask(page, 'What is the range of the old lamp?')
    const row = turn.locator('.cited').getByText('Old lamp · Range: 12 miles')
    await row.waitFor()
    expect(await row.locator('strong').textContent()).toBe('12 miles')
    await row.getByRole('link', { name: 'Source 1' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  it('says beside a quote that its text is damaged', async () => {
    await addDamaged(house)
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    const turn = await ask(page, 'How many tons does the winch of Skerry pull?')
    const quote = turn.getByRole('listitem').filter({ has: page.locator('blockquote', { hasText: 'winch' }) })
    const place = quote.locator('p').first()
    await place.getByText('winch.pdf · page 1 · damaged text').waitFor()
    expect(faults).toEqual([])
    await close()
  }, 60_000)

  it('says at a citation that its document was replaced or deleted', async () => {
    const admin = as(house, 'admin')
    const put = async (text: string): Promise<string> => {
      const file = { title: 'Bell', name: 'bell.md', collection: 'islands', text }
      const { id } = await admin.addDocument(file)
      for await (const { status } of admin.documentEvents(id)) if (status === 'failed') throw new Error(status)
      return id
    }
    const id = await put('# Bell\n\nThe bell of Skerry weighs 90 kilograms.\n')
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    const turn = await ask(page, 'How much does the bell of Skerry weigh?')
    const quote = turn.getByRole('listitem').filter({ has: page.locator('blockquote', { hasText: '90 kilograms' }) })
    await quote.waitFor()
    expect(await quote.getByText('old version').count()).toBe(0)
    await put('# Bell\n\nThe bell of Skerry weighs 95 kilograms.\n')
    await page.reload()
    await quote.getByText('Bell · old version').waitFor()
    await quote.getByText('This document has a newer version. Ask again to use it.').waitFor()
    await quote.getByRole('link', { name: 'Source' }).click()
    const source = page.getByRole('complementary', { name: 'Source' })
    await source.getByText('This document has a newer version.').waitFor()
    expect(faults).toEqual([])
    await admin.removeDocument(id)
    await page.reload()
    await quote.getByText('Bell · not available').waitFor()
    await close()
  })

  it('says at a citation that another document supersedes its document', async () => {
    const admin = as(house, 'admin')
    const put = async (title: string, text: string, supersedes: string[]): Promise<string> => {
      const { id } = await admin.addDocument({ title, text, supersedes, collection: 'islands' })
      for await (const { status } of admin.documentEvents(id)) if (status === 'failed') throw new Error(status)
      return id
    }
    const older = await put('Anchor', '# Anchor\n\nThe anchor of Skerry weighs 900 kilograms.\n', [])
    const text = '# Anchor news\n\nThe anchor was forged in 1790 by three smiths, who came from the northern rock.\n'
    await put('Anchor news', text, [older])
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    const turn = await ask(page, 'How much does the anchor of Skerry weigh, and who forged it in 1790?')
    await turn.getByText('Anchor · superseded').waitFor()
    await turn.getByText('The document “Anchor news” replaces this document.').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  it('says what was searched where nothing is found, and what to do', async () => {
    const { page, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    const turn = await ask(page, 'Xylophone quarks zeppelin?')
    await turn.getByText('Ask in other words').waitFor()
    expect(await textOf(turn)).toContain('Xylophone quarks zeppelin')
    await close()
  })

  it('searches and marks only words of this question, not of the thread before it', async () => {
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    await (await ask(page, 'hi')).locator('.outcome').waitFor()
    const sign = await ask(page, '?')
    await sign.getByText('Searched for: “?”').waitFor()
    await (await ask(page, 'When was the lighthouse lit?')).locator('blockquote').first().waitFor()
    const next = await ask(page, 'And its keepers (all)?')
    await next.locator('blockquote mark').first().waitFor()
    const marked = await next.locator('mark').allTextContents()
    expect([...new Set(marked.map((word) => word.toLowerCase()))]).toEqual(['keeper'])
    expect(faults).toEqual([])
    await close()
  })

  it('continues its thread by keyboard, starts another with /new, and keeps the selection', async () => {
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    await page.getByLabel('Collection').selectOption('islands')
    await box(page).focus()
    const first = await ask(page, 'When was the lighthouse lit?')
    await first.locator('blockquote').first().waitFor()
    const second = await ask(page, 'Who was its first keeper?')
    await second.locator('blockquote').first().waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
    const address = page.url()
    const id = (await second.getAttribute('id')) ?? ''
    await page.reload()
    await second.locator('blockquote').first().waitFor()
    expect(await page.getByRole('article').count()).toBe(2)
    await expect.poll(() => page.getByLabel('Collection').inputValue()).toBe('islands')
    await box(page).focus()
    await page.keyboard.type('/new')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What do you want to know?' }).waitFor()

    const shared = await visit(browser, house, 'desk')
    await shared.page.goto(`${address}#${id}`)
    await shared.page.locator(`#${id} blockquote`).first().waitFor()
    await shared.close()
    expect(faults).toEqual([])
    await close()
  })

  it('searches several collections, and omits one again', async () => {
    await as(house, 'admin').putCollection('reefs', { description: 'About reefs.' })
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    await page.getByLabel('Collection').selectOption('islands')
    await page.getByLabel('Also search in').selectOption('reefs')
    const turn = await ask(page, 'When was the lighthouse lit?')
    await turn.locator('blockquote').first().waitFor()
    const run = await as(house, 'asker').run((await turn.getAttribute('id')) ?? '')
    expect(run.route?.collections.toSorted()).toEqual(['islands', 'reefs'])
    await page.getByRole('button', { name: 'Remove reefs from the search' }).click()
    await page.getByLabel('Also search in').waitFor()
    expect(await page.getByRole('button', { name: 'Remove reefs from the search' }).count()).toBe(0)
    expect(await page.getByLabel('Collection').inputValue()).toBe('islands')
    expect(faults).toEqual([])
    await close()
  })

  it('stays within a phone, code in the answer too, and is left there', async () => {
    const text = `# Beacons\n\nThe beacon is set by:\n\n\`\`\`sh\nbeacon set ${'--colour red '.repeat(20)}\n\`\`\`\n`
    await add('Beacons', text)
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.setViewportSize({ width: 375, height: 812 })
    await page.goto('/')
    const turn = await ask(page, 'How is the beacon set?')
    await turn.locator('pre').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
    await turn.getByRole('link', { name: 'Source 1' }).first().click()
    const sheet = page.getByRole('complementary', { name: 'Source' })
    const top = await sheet.evaluate((element) => element.getBoundingClientRect().top)
    const closing = await sheet.getByRole('button', { name: 'Close' }).boundingBox()
    expect(closing!.y - top).toBeLessThan(40)
    await page.mouse.click(180, top / 2)
    await sheet.waitFor({ state: 'detached' })
    if (process.env['SCREENS']) await page.screenshot({ path: `${process.env['SCREENS']}/phone-code.png` })
    expect(faults).toEqual([])
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Key').waitFor()
    await close()
  })

  it('lists earlier threads, which can be named and deleted', async () => {
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    await (await ask(page, 'Which threads are listed?')).locator('.outcome').waitFor()
    await page.getByRole('link', { name: 'Earlier questions' }).click()
    await page.getByRole('button', { name: 'Rename Which threads are listed?' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Lists')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Lists', exact: true }).click()
    await page.getByRole('article', { name: 'Which threads are listed?' }).waitFor()
    const address = page.url()
    await page.getByRole('link', { name: 'New question' }).click()
    await page.getByRole('button', { name: 'Delete Lists' }).click()
    await page.getByRole('button', { name: 'Delete thread' }).click()
    await page.getByRole('link', { name: 'Lists', exact: true }).waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await page.goto(address)
    await page.getByRole('alert').getByText('You cannot see this question').waitFor()
    await close()
  })

  it('shows a key without the role asker that it may read', async () => {
    const { page, close } = await visit(browser, house, 'reader')
    await page.goto('/')
    await page.getByText('Your API key can read answers, but it cannot ask').waitFor()
    expect(await box(page).count()).toBe(0)
    await close()
  })
})
