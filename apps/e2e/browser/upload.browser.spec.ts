import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { type Browser, drop, openBrowser } from './browser'

const megabyte = 1_000_000

let house: House
let browser: Browser
beforeAll(async () => {
  ;[house, browser] = await Promise.all([openHouse({ stages: [] }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

it('a large file that did not arrive can be sent again, and tells how much of it has left', async () => {
  const { page, context, faults, close } = await browser.visit({ url: house.url })
  page.setDefaultTimeout(15_000)
  await page.goto('/documents/space')
  await page.getByRole('button', { name: 'Add files' }).waitFor()
  await context.setOffline(true)
  // Create the file in the page, because the test would have to send its 30 MB to the browser first.
  await page.evaluate((bytes) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([new Uint8Array(bytes)], 'large.txt'))
    window.dispatchEvent(new DragEvent('drop', { dataTransfer }))
  }, 30 * megabyte)
  const item = page.getByRole('region', { name: 'Recent uploads' }).getByRole('listitem')
  await item.getByText('The upload failed').waitFor()
  await context.setOffline(false)
  faults.length = 0

  const network = await context.newCDPSession(page)
  const sendAtMost = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput,
    })
  await sendAtMost(3 * megabyte)
  await item.getByRole('button', { name: 'Retry' }).click()
  await item.getByText(/^Sending, [\d.]+ MB of 30\.0 MB$/).waitFor()
  const sent = async (): Promise<number> => Number(await item.getByRole('progressbar').getAttribute('value'))
  const early = await sent()
  expect(early).toBeLessThan(25 * megabyte)
  await expect.poll(sent).toBeGreaterThan(early)
  await sendAtMost(-1)
  await item.getByRole('link', { name: 'large.txt' }).waitFor()
  expect((await house.client.documents({ collection: 'space' })).items).toMatchObject([{ name: 'large.txt' }])
  expect(faults).toEqual([])
  await close()
})

it('lists failed files first with the whole reason, shows the progress of all files, and can be stopped', async () => {
  const { page, faults, close } = await browser.visit({ url: house.url })
  page.setDefaultTimeout(15_000)
  await page.goto('/documents/many')
  await page.getByRole('button', { name: 'Add files' }).waitFor()
  const gate = Promise.withResolvers<void>()
  await page.route('**/v1/documents', async (route) => {
    if (!route.request().postData()?.includes('setup.exe')) await gate.promise
    // A stopped upload cannot continue.
    await route.continue().catch(() => undefined)
  })
  const names = ['a.txt', 'b.txt', 'setup.exe', 'c.txt', 'd.txt', 'e.txt']
  await drop(
    page,
    names.map((name) => ({ name, content: `The text of ${name}.` })),
  )
  const list = page.getByRole('region', { name: 'Recent uploads' })
  const first = list.getByRole('listitem').first()
  await first.getByText('Refused').waitFor()
  const isWhole = (element: Element): boolean => {
    const { bottom } = element.closest('ul')!.getBoundingClientRect()
    return element.scrollWidth <= element.clientWidth && element.getBoundingClientRect().bottom <= bottom
  }
  expect(await first.getByText('Give the file the extension of its format and add it again.').evaluate(isWhole)).toBe(
    true,
  )
  await list.getByText('0 of 6 ready, 1 failed').waitFor()
  const all = list.getByRole('progressbar', { name: 'All uploads' })
  expect(await all.getAttribute('max')).toBe('6')
  expect(Number(await all.getAttribute('value'))).toBeLessThan(4)

  await list.getByRole('button', { name: 'Stop uploads' }).click()
  for (const name of ['d.txt', 'e.txt'])
    await list.getByRole('listitem').filter({ hasText: name }).getByText('Stopped').waitFor()
  gate.resolve()
  await list.getByRole('button', { name: 'Resume uploads' }).click()
  await list.getByText('5 of 6 ready, 1 failed').waitFor({ timeout: 45_000 })
  expect(await all.getAttribute('value')).toBe('6')
  expect((await house.client.documents({ collection: 'many' })).items).toHaveLength(5)
  expect(faults.filter((fault) => !fault.includes('415'))).toEqual([])
  await close()
})
