import { afterAll, beforeAll, expect, it } from 'vitest'
import { allStages } from '@plumbline/stages/all'
import { generatorWriting } from '../generator-writing'
import { openHouse, type House } from '../house'
import { type Browser, openBrowser, type Visit } from './browser'
import { hostileTexts } from './hostile-texts'

/** It writes what it was told to by a document or by its asker. */
const generator = generatorWriting(
  (question) => `The harbour is open [1]. ${hostileTexts[Number(/number (\d+)/.exec(question)?.[1] ?? 0)] ?? ''} [1]`,
)

const collection = 'harbour'
const threadId = 'harbour-thread'
let [house, browser, visit]: [House | undefined, Browser | undefined, Visit | undefined] = [
  undefined,
  undefined,
  undefined,
]
const [runs, documents]: [string[], string[]] = [[], []]

const bring = async (text: string, n: number): Promise<string> => {
  const { client } = house!
  const { id } = await client.addDocument({
    title: `${n} ${text}`,
    name: `file-${n} ${text}`,
    text: `# ${text}\n\nThe harbour number ${n} is open. ${text}`,
    collection,
    metadata: { note: text.slice(0, 200) },
  })
  return id
}
const ask = async (text: string, n: number): Promise<string> => {
  const { client } = house!
  const { id } = await client.ask({
    question: `Is the harbour number ${n} open? ${text}`,
    collection,
    threadId,
    metadata: { note: text.slice(0, 200) },
  })
  for await (const { type } of client.events(id)) if (type === 'parked' || type === 'ended') break
  return id
}

beforeAll(async () => {
  house = await openHouse({ stages: Object.values({ ...allStages, generator }) })
  for (const [n, text] of hostileTexts.entries()) documents.push(await bring(text, n))
  for (const id of documents)
    for await (const { status } of house.client.documentEvents(id)) if (status === 'failed') break
  for (const [n, text] of hostileTexts.entries()) runs.push(await ask(text, n))
  browser = await openBrowser()
  visit = await browser.visit({ url: house.url })
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const inPage = `({
  hit: window.hit ?? 0,
  scripts: [...document.scripts].filter(({ src }) => !src.startsWith(location.origin + '/assets/')).length,
  elements: document.querySelectorAll('iframe, object, embed, video, audio, base, form[action], img:not([src^="/"]):not([src^="data:"]), meta[http-equiv]').length,
  links: [...document.querySelectorAll('a[href]')].filter(({ protocol, origin }) => !protocol.startsWith('http') || origin !== location.origin).length,
})`

const clean = { hit: 0, scripts: 0, elements: 0, links: 0 }
const look = async (address: string): Promise<void> => {
  const { page, faults } = visit!
  await page.goto(address)
  await page.locator('main:not([aria-busy="true"])').waitFor()
  expect(await page.evaluate(inPage), address).toEqual(clean)
  expect(faults, address).toEqual([])
}

it('is text and nothing else in lists, documents and searches', { timeout: 120_000 }, async () => {
  for (const address of ['/documents', `/documents/${collection}`, `/documents/${collection}/search?q=harbour`])
    await look(address)
  for (const id of documents) await look(`/documents/${collection}/${id}`)
})

it(
  'is text and nothing else at the desk, and none of it is in the page of who asked',
  { timeout: 120_000 },
  async () => {
    await look('/desk')
    for (const id of runs) await look(`/desk/${id}`)
    await look(`/threads/${threadId}`)
    expect(await visit!.page.content()).not.toContain('The harbour is open [1]')
  },
)

it('is text and nothing else once a reviewer let it out', { timeout: 120_000 }, async () => {
  const { client } = house!
  for (const runId of runs) {
    const { review, status } = await client.run(runId)
    if (status === 'parked')
      await client.decide(runId, { taskId: review?.taskId ?? '', decisionId: 'let-out', action: 'approve' })
  }
  await look(`/threads/${threadId}`)
  await visit!.page.getByText('The harbour is open').first().waitFor()
  for (const address of ['/ops', '/ops/runs', ...runs.slice(0, 10).map((id) => `/ops/runs/${id}`)]) await look(address)
})
