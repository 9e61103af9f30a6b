import { afterAll, beforeAll, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser } from './browser'

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
  // Made in the page: what a test hands over goes through a socket first.
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
