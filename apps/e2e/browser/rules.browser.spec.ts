import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import axe from 'axe-core'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createClient, type Client } from '@plumbline/client'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser, type Visit } from './browser'

type Received = { headers: IncomingHttpHeaders; body: string }
const received: Received[] = []
const answers: number[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece))
  request.on('end', () => {
    received.push({ headers: request.headers, body })
    response.writeHead(answers.shift() ?? 204).end()
  })
})

let [house, browser]: [House | undefined, Browser | undefined] = [undefined, undefined]
let admin: Client
let asker: Client
let host = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', () => resolve()))
  host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const API_KEYS = 'asker-key-1:acme:asker,reviewer-key-1:acme:reviewer,admin-key-1:acme:admin'
  house = await openHouse({ env: { API_KEYS, ALLOW_PRIVATE_ADDRESSES: host, PUBLIC_URL: 'https://plumbline.example' } })
  browser = await openBrowser()
  admin = createClient({ url: house.url, key: 'admin-key-1' })
  asker = createClient({ url: house.url, key: 'asker-key-1' })
  await admin.putCollection('planets', { description: 'Facts about the planets.' })
  const { id } = await admin.addDocument({
    title: 'Mars',
    text: '# Mars\n\nMars weighs 6.42e23 kg.',
    collection: 'planets',
  })
  for await (const { status } of admin.documentEvents(id))
    if (status === 'failed') throw new Error('it was not indexed')
})
afterAll(async () => {
  await browser?.close()
  await house?.close()
  receiver.close()
})

const open = async (key: string, more: { width?: number; dark?: boolean } = {}): Promise<Visit> => {
  const visit = await browser!.visit({ url: house!.url, key, ...more })
  await visit.page.goto('/desk/rules')
  await visit.page.getByRole('heading', { name: 'Rules and webhooks' }).waitFor()
  return visit
}
const says = (page: Page, section: string) => page.getByRole('region', { name: section }).locator('.says').first()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

it('says in a sentence what the rules will do, saves them, and holds by them', async () => {
  const { page, faults, close } = await open('admin-key-1')
  expect(await says(page, 'Answers to hold').textContent()).toContain('Answers that pass the check are not held.')
  expect(await button(page, 'Save rules').isDisabled()).toBe(true)
  await page.getByLabel('Hold a random sample (% of all answers)').fill('2')
  await page.getByLabel('planets').check()
  await page
    .getByLabel('Hold every answer to a question that contains one of these words')
    .fill('notice period\nsalary')
  expect(await says(page, 'Answers to hold').textContent()).toBe(
    'Held for review: every answer from planets, every answer to a question with “notice period” or “salary”, and 2\u00a0% of answers as a sample. Answers that fail the check are always held.',
  )
  await page.getByLabel('Set a deadline for decisions').check()
  await page.getByLabel('Count working hours only').check()
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await page.getByLabel('Escalate the answer').check()
  expect(await page.getByLabel('Release the answer with a caveat').isDisabled()).toBe(true)
  expect(await says(page, 'Deadline').textContent()).toBe(
    'A held answer waits 8 working hours (Mon to Fri, 09:00 to 17:00, Europe/Berlin). Then it is escalated, and webhooks are notified. If nobody decides within another 4 working hours, it is refused.',
  )
  await button(page, 'Save rules').click()
  await page.getByText('Saved. The rules apply to new questions.').waitFor()
  expect(await admin.rules()).toMatchObject({
    version: 1,
    hold: { samplePercent: 2, collections: ['planets'], words: ['notice period', 'salary'] },
    deadline: { minutes: 480, then: 'escalate', escalatedMinutes: 240, hours: { timeZone: 'Europe/Berlin' } },
  })
  const { id } = await asker.ask({ question: 'How heavy is Mars?', collection: 'planets' })
  await expect.poll(async () => (await asker.run(id)).reason, { interval: 50 }).toBe('parked.collection')
  expect(JSON.stringify(await asker.run(id))).not.toContain('6.42e23')
  await page.reload()
  expect(await page.getByLabel('planets').isChecked()).toBe(true)
  expect(faults).toEqual([])
  await close()
})

it('overwrites nothing that another admin saved meanwhile, and shows it', async () => {
  const { page, faults, close } = await open('admin-key-1')
  await page.getByLabel('Hold a random sample (% of all answers)').fill('5')
  const { version, hold } = await admin.rules()
  await admin.putRules({ version, hold: { ...hold, everything: true }, deadline: null })
  await button(page, 'Save rules').click()
  await page.getByRole('alert').getByText('Somebody else has changed the rules').waitFor()
  // The browser logs one error for the request that the gateway refused.
  expect(faults.splice(0)).toHaveLength(1)
  await button(page, 'Retry').click()
  await page.getByText('Every answer is held until a person reviews it.').waitFor()
  expect((await admin.rules()).version).toBe(version + 1)
  expect(faults).toEqual([])
  await close()
})

it('sets up a webhook, shows its secret once, lists what was sent, and sends it again', async () => {
  const { page, faults, close } = await open('admin-key-1')
  await page.getByLabel('Name', { exact: true }).fill('held-answers')
  await page.getByLabel('Address (URL)').fill('http://10.0.0.1/hook')
  await button(page, 'Save webhook').click()
  await page.getByRole('alert').getByText('use a public address').waitFor()
  faults.length = 0
  await page.getByLabel('Address (URL)').fill(`http://${host}/hook`)
  await button(page, 'Save webhook').click()
  const secret = (await page.locator('.secret code').textContent()) ?? ''
  expect(secret).toMatch(/^whsec_/)
  answers.push(410)
  const { id } = await asker.ask({ question: 'How heavy is Mars?', collection: 'planets' })
  await page.getByText('failed after 1 try').waitFor({ timeout: 20_000 })
  const [{ body, headers } = { body: '', headers: {} }] = received
  expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toMatchObject({
    type: 'run.parked',
    data: { runId: id, status: 'parked', reason: 'parked.tenant', link: `https://plumbline.example/desk/${id}` },
  })
  expect(body).not.toContain('6.42e23')
  await page.getByRole('button', { name: /^Send again: run\.parked/ }).click()
  await page.getByText('delivered after 1 try').waitFor({ timeout: 20_000 })
  expect(received.map((one) => one.headers['webhook-id'])).toEqual(Array(2).fill(headers['webhook-id']))
  await page.getByRole('button', { name: 'New secret for held-answers' }).click()
  await expect.poll(() => page.locator('.secret code').textContent()).not.toBe(secret)
  await page.reload()
  await page.getByText('The old secret is also valid until').waitFor()
  expect(await page.locator('.secret').count()).toBe(0)
  await page.getByRole('button', { name: 'Remove held-answers' }).click()
  await page.getByRole('button', { name: 'Remove held-answers for good' }).click()
  await page.getByText('No webhooks yet.').waitFor()
  expect(await admin.webhooks()).toEqual({ items: [] })
  expect(faults).toEqual([])
  await close()
})

it('fits a phone, is accessible, and is for admins', async () => {
  const { page, faults, close } = await open('admin-key-1', { width: 390, dark: true })
  await page.getByRole('region', { name: 'Recent deliveries' }).first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await page.evaluate(axe.source)
  expect(
    await page.evaluate(
      'axe.run("main").then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))',
    ),
  ).toEqual([])
  await close()
  const reviewer = await open('reviewer-key-1')
  await reviewer.page.getByText('Only admins can see and change rules.').waitFor()
  expect([...faults, ...reviewer.faults]).toEqual([])
  await reviewer.close()
})
