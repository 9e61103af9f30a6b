import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient, type Client } from '@plumbline/client'
import { prose, writePdf } from '@plumbline/parsing/spec/written-pdf'
import { openHouse, type House } from '../house'
import { type Browser, drop, follow, openBrowser, type Visit, seriousFaults, tabTo } from './browser'

const planets = `# Planets

Mars is a rocky planet, and its mass is small beside that of Earth.

## Mass

| Planet | Mass (10^24 kg) |
| --- | ---: |
| Mars | 0.642 |
| Earth | 5.97 |

## Moons

Mars has two moons, Phobos and Deimos.
`
const report = Buffer.from(
  writePdf(
    ['The Lindale plant replenished 810 million litres of water.', 'The Orrin plant did not take part in it.'].map(
      (line) => ({ put: prose([line, 'All figures are for the year 2023.'], 72, 90) }),
    ),
  ),
)

let [house, browser, visit]: [House | undefined, Browser | undefined, Visit | undefined] = [
  undefined,
  undefined,
  undefined,
]
let admin: Client
beforeAll(async () => {
  house = await openHouse({ env: { API_KEYS: 'asker-key-1:acme:asker,admin-key-1:acme:admin+operator' } })
  browser = await openBrowser()
  visit = await browser.visit({ url: house.url, key: 'admin-key-1' })
  admin = createClient({ url: house.url, key: 'admin-key-1' })
})
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

/** Delays the response to the page's DELETE until the gateway has announced the removal to its live listeners. */
const holdDelete = (page: Page, id: string): Promise<unknown> =>
  page.route(`**/v1/documents/${id}`, async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue()
    const hints = admin.live({ runs: [], documents: [id], desk: false })[Symbol.asyncIterator]()
    await hints.next()
    const response = await route.fetch({ url: route.request().url().replace('plumbline.test', '127.0.0.1') })
    await hints.next()
    await hints.return?.(undefined)
    await route.fulfill({ response })
  })

const rowOf = (page: Page, title: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: title }) })

describe('files dropped on the page of a collection', () => {
  it('arrive each with its progress, and what fails says why and what to do', async () => {
    const { page, faults } = visit!
    await page.goto('/documents')
    await page.getByText('No documents yet').waitFor()
    await page.getByRole('button', { name: 'New collection' }).click()
    await page.getByLabel('Name', { exact: true }).fill('space')
    await page.keyboard.press('Enter')
    await page.getByText('The first document creates the collection').waitFor()
    await drop(page, [
      { name: 'planets.md', content: planets },
      { name: 'water.pdf', content: report },
      { name: 'broken.pdf', content: '%PDF-1.7 and nothing else' },
      { name: 'setup.exe', content: 'MZ' },
    ])
    const added = page.getByRole('region', { name: 'Recent uploads' })
    const item = (name: string) => added.getByRole('listitem').filter({ hasText: name })
    await item('planets.md').getByText('Ready').waitFor()
    await item('water.pdf').getByText('Ready').waitFor()
    await item('broken.pdf').getByText('Failed').waitFor()
    await item('setup.exe').getByText('Refused').waitFor()
    expect(await item('broken.pdf').textContent()).toMatch(/\.\s*Retry$/)
    expect(await item('setup.exe').textContent()).toContain('Give the file the extension of its format')
    expect(await added.getByRole('status').textContent()).toBe('2 of 4 ready, 2 failed')
    // Ignore the console errors about the uploads that the gateway rejected with 415.
    expect(faults.splice(0).filter((fault) => !fault.includes('415'))).toEqual([])
  })

  it('are distinguished from existing ones', async () => {
    const { page } = visit!
    await drop(page, [{ name: 'planets.md', content: planets }])
    await page.getByRole('region', { name: 'Recent uploads' }).getByText('unchanged').waitFor()
    expect(await seriousFaults(page)).toEqual([])
  })

  it('are in a list filtered by its URL', async () => {
    const { page } = visit!
    await page.goto('/documents/space')
    await rowOf(page, 'planets').getByText('Ready').waitFor()
    expect(await page.getByRole('row').count()).toBe(4)
    await page.getByLabel('Status').selectOption('Failed')
    await rowOf(page, 'planets').waitFor({ state: 'detached' })
    expect(page.url()).toMatch(/\?status=failed$/)
    await page.reload()
    const again = page.waitForResponse(/\/retry$/)
    await rowOf(page, 'broken').getByRole('button', { name: 'Retry' }).click()
    expect((await again).status()).toBe(202)
    await rowOf(page, 'broken').getByText('Upload the complete file again').waitFor()
    await page.getByLabel('Status').selectOption('Any')
    await page.getByLabel('Search in space').fill('WATER pdf')
    await rowOf(page, 'broken').waitFor({ state: 'detached' })
    expect(await rowOf(page, 'water').count()).toBe(1)
  })
})

describe('a document', () => {
  it('shows what was read from it, tables as tables, and the place of a passage at its address', async () => {
    const { page } = visit!
    await page.goto('/documents/space')
    await page.getByRole('link', { name: 'Planets' }).first().click()
    await page.getByRole('cell', { name: '0.642' }).waitFor()
    await page.getByRole('complementary').getByRole('link', { name: '2 Mass' }).click()
    await page.locator('tr[data-chosen]').first().waitFor()
    expect(page.url()).toMatch(/\?passage=p[0-9a-f]{32}$/)
    await page.reload()
    await page.locator('tr[data-chosen]').first().waitFor()
    expect(await page.locator('[data-chosen]').allTextContents()).toContainEqual(expect.stringContaining('0.642'))
    expect(await page.locator('[data-chosen]').allTextContents()).not.toContainEqual(expect.stringContaining('Phobos'))
    expect(await seriousFaults(page)).toEqual([])
    await page.goto(page.url().replace(/passage=.*/, 'passage=p0'))
    await page.getByText('This passage no longer exists').waitFor()
  })

  it('shows the document’s own metadata, and before that the uploader’s', async () => {
    const { page, faults } = visit!
    const text =
      '---\nowner: Ann Berg\nstatus: draft\ntags: [harbour, cranes]\n---\n# Charter\n\nThe harbour has four cranes.'
    const told = { title: 'Charter', text, collection: 'charters', metadata: { status: 'approved' } }
    const { id } = await admin.addDocument(told)
    await page.goto(`/documents/charters/${id}`)
    await page.getByText('Ann Berg').waitFor()
    const facts = await page.locator('dl.facts > div').allTextContents()
    expect(facts).toEqual(expect.arrayContaining(['ownerAnn Berg', 'statusapproved', 'tagsharbour, cranes']))
    expect(facts).not.toContain('statusdraft')
    expect(await seriousFaults(page)).toEqual([])
    if (process.env['SCREENS'])
      await page.screenshot({ path: join(process.env['SCREENS'], 'document.png'), fullPage: true })
    await page.goto('/documents/space')
    await admin.removeCollection('charters')
    expect(faults).toEqual([])
  })

  it('is looked through page by page', async () => {
    const { page } = visit!
    await page.goto('/documents/space')
    await page.getByRole('link', { name: 'water' }).first().click()
    await page.getByRole('article', { name: 'Page 1' }).getByText('810 million').waitFor()
    await page.getByRole('link', { name: 'Next' }).first().click()
    await page.getByRole('article', { name: 'Page 2' }).getByText('Orrin').waitFor()
    expect(page.url()).toMatch(/\?part=2$/)
  })

  it('is shown as it looks, with the place of a passage marked on its page', async () => {
    const { page, faults } = visit!
    await page.goto('/documents/space')
    await page.getByRole('link', { name: 'water' }).first().click()
    await page.getByRole('link', { name: 'Page image' }).click()
    await page.getByRole('img', { name: 'Image of page 1' }).waitFor()
    expect(await page.locator('.place').count()).toBe(0)
    await page.getByRole('complementary').getByRole('link').first().click()
    await page.locator('.place').first().waitFor()
    const marked = await page.locator('.place').evaluateAll((all) => all.map((one) => Number(one.getAttribute('y'))))
    expect(Math.min(...marked)).toBeGreaterThan(60)
    expect(Math.max(...marked)).toBeLessThan(130)
    expect(await seriousFaults(page)).toEqual([])
    expect(faults).toEqual([])
    await page.getByRole('link', { name: 'Text', exact: true }).click()
    await page.getByRole('article', { name: 'Page 1' }).waitFor()
  })

  it('is found by words that are marked, one step from its place', async () => {
    const { page, faults } = visit!
    await page.goto('/documents/space')
    await page.getByRole('link', { name: 'Planets' }).first().waitFor()
    expect(await page.getByRole('searchbox').count()).toBe(1)
    await page.getByLabel('Search in space').fill('moons of Mars')
    await page.getByText('No document matches.').waitFor()
    await page.keyboard.press('Enter')
    const first = page.getByRole('main').locator('ol > li').first()
    await first.waitFor()
    expect(await first.locator('mark').allTextContents()).toEqual(expect.arrayContaining(['Mars', 'moons']))
    expect(await seriousFaults(page)).toEqual([])
    await first.getByRole('link').click()
    await page.locator('p[data-chosen]').getByText('Phobos').waitFor()
    await page.goto('/documents/space/search?q=zebra')
    await page.getByText('Nothing found in space').waitFor()
    expect(faults).toEqual([])
  })

  it('is replaced under its name, indexed again and deleted', async () => {
    const { page, faults } = visit!
    await page.goto('/documents/space')
    await page.getByRole('link', { name: 'Planets' }).first().click()
    await page.getByRole('cell', { name: '0.642' }).waitFor()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Replace file' }).click()
    const changed = planets.replace('0.642', '0.6417')
    await (await chooser).setFiles({ name: 'other.md', mimeType: 'text/markdown', buffer: Buffer.from(changed) })
    await page.getByRole('cell', { name: '0.6417' }).waitFor()
    const { items } = await admin.documents({ collection: 'space', words: 'planets.md' })
    expect(items).toHaveLength(1)
    await page.getByRole('status').getByText('Ready').waitFor()
    const again = page.waitForResponse(/\/reindex$/)
    await page.getByRole('button', { name: 'Re-index' }).click()
    await again
    await expect.poll(async () => (await admin.document(items[0]?.id ?? '')).status).toBe('indexed')
    await page.getByRole('status').getByText('Ready').waitFor()
    await holdDelete(page, items[0]?.id ?? '')
    await page.getByRole('button', { name: 'Delete document' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete document' }).click()
    await rowOf(page, 'broken').waitFor()
    expect(await rowOf(page, 'Planets').count()).toBe(0)
    expect((await admin.search({ query: 'Phobos', collection: 'space' })).items).toEqual([])
    expect(faults).toEqual([])
  })
})

const hostile = [
  '<script>window.hit = 1</script>',
  '<img src="http://127.0.0.1:9/x.png" onerror="window.hit = 1">',
  '<svg onload="window.hit = 1"></svg>',
  '<iframe src="http://127.0.0.1:9/"></iframe>',
  '<style>@import "http://127.0.0.1:9/x.css"</style>',
  '<a href="javascript:window.hit = 1">press</a>',
  '[press](javascript:window.hit=1)',
  '![picture](http://127.0.0.1:9/y.png)',
  '<http://127.0.0.1:9/z>',
  '<form action="http://127.0.0.1:9/"><button>press</button></form>',
]

describe('what documents say', () => {
  it('is shown and runs nothing, in lists, in the text, among the passages and in what is found', async () => {
    const { page, faults } = visit!
    const added = await Promise.all(
      hostile.map((words) =>
        admin.addDocument({
          title: words,
          text: `# ${words}\n\nhostile ${words} words\n\n${words}`,
          collection: 'hostile',
        }),
      ),
    )
    await page.goto('/documents/hostile')
    await expect.poll(() => page.getByText('Ready', { exact: true }).count(), { timeout: 20_000 }).toBe(hostile.length)
    for (const [n, { id }] of added.entries()) {
      await follow(page, `/documents/hostile/${id}`)
      await page.locator('header h1', { hasText: hostile[n] ?? '' }).waitFor()
      await page.getByRole('complementary').getByRole('link').first().click()
      await page.locator('[data-chosen]').first().waitFor()
      for (const press of await page.getByRole('article').getByText('press', { exact: true }).all()) await press.click()
    }
    await page.goto('/documents/hostile/search?q=hostile+words')
    await page.getByRole('main').locator('ol > li').nth(4).waitFor()
    await page.goto(`/documents/hostile/search?q=${encodeURIComponent(hostile[1] ?? '')}`)
    await page.getByRole('main').getByRole('status').waitFor()
    expect(await page.evaluate('window.hit')).toBeUndefined()
    expect(faults).toEqual([])
    await admin.removeCollection('hostile')
  })
})

describe('a collection', () => {
  it('takes a pasted text and is deleted with its name typed, by keyboard only', async () => {
    const { page, faults } = visit!
    await page.goto('/documents/space')
    await page.getByRole('button', { name: 'Add files' }).waitFor()
    await tabTo(page, 'Add description')
    await page.keyboard.press('Enter')
    await page.keyboard.type('What moves through space.')
    await tabTo(page, 'Save')
    await page.keyboard.press('Enter')
    await page.getByRole('form', { name: 'Settings of space' }).waitFor({ state: 'detached' })
    await page.getByText('What moves through space.').waitFor()
    expect(await admin.collection('space')).toMatchObject({ description: 'What moves through space.' })
    await tabTo(page, 'Paste text')
    await page.keyboard.press('Enter')
    await page.keyboard.type('# Comets\n\nHalley returns every 76 years.')
    await tabTo(page, 'Add this text')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Recent uploads' }).getByText('Ready').last().waitFor()
    await rowOf(page, 'Comets').waitFor()
    await tabTo(page, 'Delete collection')
    await page.keyboard.press('Enter')
    const go = page.getByRole('dialog').getByRole('button', { name: 'Delete collection' })
    await page.keyboard.type('spac')
    expect(await go.isDisabled()).toBe(true)
    await page.keyboard.type('e')
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('No documents yet').waitFor()
    expect((await admin.documents()).items).toEqual([])
    expect(faults).toEqual([])
  })

  it('is read, but not changed, by an asker', async () => {
    await admin.addDocument({ title: 'Note', text: 'Note says it.', collection: 'read' })
    const { page, faults, close } = await browser!.visit({
      url: house!.url,
      key: 'asker-key-1',
      width: 390,
      dark: true,
    })
    await page.goto('/documents/read')
    await page.getByRole('link', { name: 'Note', exact: true }).click()
    await page.getByRole('article').getByText('Note says it.').waitFor()
    await page.goto('/documents/read')
    await page.getByRole('row').nth(1).waitFor()
    const actions = /add|edit|paste|re-index|delete|replace|new/i
    expect(await page.getByRole('main').getByRole('button', { name: actions }).count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  it('of many documents shows those in sight and reads on while it is scrolled', async () => {
    const { page } = visit!
    // Pause the import, because documents are listed even before they are parsed.
    await admin.pauseStage('ingest')
    for (let from = 0; from < 230; from += 10)
      await Promise.all(
        Array.from({ length: 10 }, (_, nth) =>
          admin.addDocument({ title: `Note ${from + nth}`, text: `Note ${from + nth} says it.`, collection: 'many' }),
        ),
      )
    const { items } = await admin.documents({ collection: 'many', limit: 1 })
    const last = items[0]?.title ?? ''
    await page.goto('/documents/many')
    await page.getByRole('link', { name: last, exact: true }).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    const seen = new Set<string>()
    while (seen.size < 230) {
      for (const title of await page.getByRole('link', { name: /^Note/ }).allTextContents()) seen.add(title)
      await page.mouse.wheel(0, 700)
    }
    expect(await page.getByRole('row').count()).toBeLessThan(60)
  })
})
