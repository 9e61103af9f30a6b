import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { policyByName } from '@plumbline/flow'
import { allStages } from '@plumbline/stages/all'
import { generatorWriting } from '../generator-writing'
import { openHouse, type House } from '../house'
import { answerOf, apiKeys, as, fill, visit } from './ask-page'
import { type Browser, openBrowser } from './browser'

const invented = 'The lighthouse is 93 metres high'
/** True while the generator below fails. Afterwards, it writes drafts that no passage supports. */
let isBroken = true
const generator = generatorWriting(() => {
  if (isBroken) throw new Error('the model does not answer')
  return `${invented} [1].`
})
const impatient = {
  ...policyByName('standard'),
  name: 'impatient',
  parkMs: 10_000,
  maxRegenerations: 0,
  maxAugments: 0,
}

let policies: string
let house: House
let browser: Browser
beforeAll(async () => {
  policies = await mkdtemp(join(tmpdir(), 'plumbline-policies-'))
  await writeFile(join(policies, 'impatient.json'), JSON.stringify(impatient))
  const env = { API_KEYS: apiKeys, POLICIES_DIR: policies }
  ;[house, browser] = await Promise.all([
    openHouse({ env, stages: Object.values({ ...allStages, generator }) }),
    openBrowser(),
  ])
  await fill(house)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
  await rm(policies, { recursive: true, force: true })
})

const question = 'How high is the lighthouse of Skerry?'
const asked = async (page: Page, threadId: string): Promise<Locator> => {
  await as(house, 'asker').ask({ question, threadId, policy: 'impatient', collection: 'islands' })
  await page.goto(`/threads/${threadId}`)
  return page.getByRole('article', { name: question })
}

describe('a run without an answer', () => {
  it('that failed says so, and what to do, and is asked again with a press', async () => {
    const { page, faults, close } = await visit(browser, house, 'asker')
    isBroken = true
    const turn = await asked(page, 'storm')
    await turn.getByText('the step that writes the answer failed').waitFor({ timeout: 25_000 })
    await turn.getByText('Ask again in a few minutes').waitFor()
    isBroken = false
    await turn.getByRole('button', { name: 'Ask again' }).click()
    await turn.getByText('Held for review.').waitFor()
    expect(await turn.count()).toBe(2)
    expect(faults).toEqual([])
    await close()
  })

  it('that nobody decided in time says so without a word of the draft, and goes from the desk by itself', async () => {
    isBroken = false
    const [own, desk] = await Promise.all([visit(browser, house, 'asker'), visit(browser, house, 'desk')])
    const turn = await asked(own.page, 'overdue')
    await turn.getByText('Held for review.').waitFor()
    await desk.page.goto(`/desk/${await turn.getAttribute('id')}`)
    await turn.getByText('held and nobody decided in time').waitFor({ timeout: 40_000 })
    await turn.getByText('The held answer will not be released. Ask again').waitFor()
    expect(await answerOf(turn).count()).toBe(0)
    expect(await own.page.content()).not.toContain(invented)
    await desk.page.getByText('This draft is no longer held').waitFor()
    await desk.page.getByText('The run is expired.').waitFor()
    expect(own.faults).toEqual([])
    await Promise.all([own.close(), desk.close()])
  })
})
