import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser } from './browser'

let house: House
let browser: Browser
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-shared-'))
  ;[house, browser] = await Promise.all([openHouse({ stages: [], env: { SOURCE_FOLDERS: folder } }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await house?.close()
  await rm(folder, { recursive: true, force: true })
})

it('a source is added, run, tells what failed, and goes with its documents', async () => {
  await writeFile(join(folder, 'mars.md'), '# Mars\n\nMars has two moons.')
  await writeFile(join(folder, 'broken.pdf'), 'this is no PDF')
  const { page, faults, close } = await browser.visit({ url: house.url })
  page.setDefaultTimeout(15_000)
  await page.goto('/documents')
  await page.getByRole('button', { name: 'Add a source' }).click()
  const form = page.getByRole('form', { name: 'New source' })
  await form.getByLabel('Name (').fill('shared')
  await form.getByLabel('Folder, for example').fill('/etc')
  await form.getByRole('button', { name: 'Add source' }).click()
  await form.getByRole('alert').getByText('the operator does not allow this folder').waitFor()
  faults.length = 0
  await form.getByLabel('Folder, for example').fill(folder)
  await form.getByLabel('Access rules').fill('hr/** = hr')
  await form.getByRole('button', { name: 'Add source' }).click()
  const source = page.getByRole('listitem', { name: 'shared' })
  await source.getByText('Not imported yet.').waitFor()
  await page.getByRole('button', { name: 'Add a source' }).click()
  await form.getByLabel('Name (').fill('shared')
  await form.getByText('A source with this name exists').waitFor()
  expect(await form.getByRole('button', { name: 'Add source' }).isDisabled()).toBe(true)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await source.getByRole('button', { name: 'Import now: shared' }).click()
  await source.getByText('1 added, 1 failed').waitFor({ timeout: 45_000 })
  await source.getByText('1 file failed').click()
  await source.getByText('broken.pdf').waitFor()
  if (process.env['SCREENS'])
    await page.screenshot({ path: join(process.env['SCREENS'], 'sources.png'), fullPage: true })
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.run())
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  const [document] = (await house.client.documents({ words: 'mars' })).items
  expect(document).toMatchObject({ from: { source: 'shared', path: 'mars.md' }, name: 'shared/mars.md' })
  await page.goto(`/documents/default/${document?.id ?? ''}`)
  await page.getByText('Imported from mars.md by the source shared').waitFor()
  expect(await page.getByRole('button', { name: 'Delete document' }).count()).toBe(0)
  await page.goto('/documents')
  await source.getByRole('button', { name: 'Remove source and documents' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Type shared to confirm').fill('shared')
  await dialog.getByRole('button', { name: 'Remove source and documents' }).click()
  await page.getByText('No sources yet.').waitFor()
  expect((await house.client.documents({})).items).toEqual([])
  expect(faults).toEqual([])
  await close()
})

it('a page shows no sources if the installation does not offer them', async () => {
  const without = await openHouse({ stages: [], env: { FEATURES: 'openai' } })
  const { page, faults, close } = await browser.visit({ url: without.url })
  try {
    page.setDefaultTimeout(15_000)
    await page.goto('/documents')
    await page.getByText('No documents yet.').waitFor()
    await page.getByRole('button', { name: 'New collection' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Sources' }).count()).toBe(0)
    expect(faults).toEqual([])
  } finally {
    await close()
    await without.close()
  }
})
