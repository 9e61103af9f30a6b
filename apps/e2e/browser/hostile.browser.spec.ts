import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { allStages } from '@plumbline/stages/all'
import { generatorWriting } from '../generator-writing'
import { openHouse, type House } from '../house'
import { type Browser, follow, openBrowser, type Visit } from './browser'
import { hostileTexts } from './hostile-texts'

/** Writes the hostile text with the number that the question contains. */
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
  return id
}

beforeAll(async () => {
  house = await openHouse({ stages: Object.values({ ...allStages, generator }) })
  const { client } = house
  for (const [n, text] of hostileTexts.entries()) documents.push(await bring(text, n))
  for (const id of documents) for await (const { status } of client.documentEvents(id)) if (status === 'failed') break
  for (const [n, text] of hostileTexts.entries()) runs.push(await ask(text, n))
  for (const id of runs)
    for await (const { type } of client.events(id)) if (type === 'parked' || type === 'ended') break
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
/** Checks that hostile text changed nothing on the page, once `shown` is visible. */
const look = async (address: string, shown: Locator): Promise<void> => {
  const { page, faults } = visit!
  await shown.first().waitFor()
  await page.locator('main:not([aria-busy="true"])').waitFor()
  expect(await page.evaluate(inPage), address).toEqual(clean)
  expect(faults, address).toEqual([])
}
const load = async (address: string, shown: Locator): Promise<void> => {
  await visit!.page.goto(address)
  await look(address, shown)
}
const follows = async (address: string, shown: Locator): Promise<void> => {
  await follow(visit!.page, address)
  await look(address, shown)
}
const main = (): Locator => visit!.page.getByRole('main')

it('is text and nothing else in lists, documents and searches', { timeout: 120_000 }, async () => {
  await load('/documents', main().getByText(collection))
  const [first, ...others] = documents
  await load(`/documents/${collection}`, main().getByRole('row').nth(10))
  await load(`/documents/${collection}/search?q=harbour`, main().getByRole('listitem').nth(4))
  await load(`/documents/${collection}/${first}`, main().getByText('The harbour number 0 is open.'))
  for (const [n, id] of others.entries())
    await follows(`/documents/${collection}/${id}`, main().getByText(`The harbour number ${n + 1} is open.`))
})

it('is plain text at the desk, and never on the asker’s page', { timeout: 120_000 }, async () => {
  const question = (n: number): Locator => main().getByRole('heading', { name: `Is the harbour number ${n} open?` })
  await load('/desk', main().getByRole('link', { name: 'Is the harbour number' }).nth(10))
  const [first, ...others] = runs
  await load(`/desk/${first}`, question(0))
  for (const [n, id] of others.entries()) await follows(`/desk/${id}`, question(n + 1))
  await load(
    `/threads/${threadId}`,
    main()
      .getByRole('article')
      .nth(runs.length - 1),
  )
  expect(await visit!.page.content()).not.toContain('The harbour is open [1]')
})

it('is plain text after a reviewer released it', { timeout: 120_000 }, async () => {
  const { client } = house!
  for (const runId of runs) {
    const { review, status } = await client.run(runId)
    if (status === 'parked')
      await client.decide(runId, {
        taskId: review?.taskId ?? '',
        decisionId: 'let-out',
        action: 'approve',
        note: 'The source is old.',
      })
  }
  await load(`/threads/${threadId}`, main().getByText('The harbour is open'))
  await load('/ops', main().getByText('● accepting questions'))
  await load('/ops/runs', main().getByRole('link', { name: 'Is the harbour number' }).nth(10))
  for (const [n, id] of runs.slice(0, 10).entries())
    await follows(`/ops/runs/${id}`, main().getByRole('heading', { name: `Is the harbour number ${n} open?` }))
})
