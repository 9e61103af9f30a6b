import type { Locator, Page } from 'playwright-core'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import { scriptOf } from '@plumbline/testing/scripted-model/plain-model'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type House, openHouse } from '../house'
import { answerOf, apiKeys, as, ask, box, textOf, visit } from './ask-page'
import { type Browser, countSoon, openBrowser, seriousFaults } from './browser'
import { parkMany, showPart } from './parked-runs'

const text =
  'The Skerry ferry sails at 08:00. It carries 240 passengers. A return ticket costs 12 euros. Dogs travel free.'
const sails = 'The Skerry ferry sails at 08:00 [1].'
const carries = 'It carries 240 passengers [1].'
const costs = 'A return ticket costs 12 euros [1].'
const dogs = 'Dogs travel free [1].'
const invented = 'Breakfast is included in the price of every ticket [1].'

let model: ModelServer
let house: House
let browser: Browser
beforeAll(async () => {
  model = await startModelServer()
  const models = { OPENAI_BASE_URL: model.openaiUrl, OPENAI_API_KEY: 'a-key', CACHE: 'off' }
  ;[house, browser] = await Promise.all([openHouse({ env: { API_KEYS: apiKeys, ...models } }), openBrowser()])
  const admin = as(house, 'admin')
  const { id } = await admin.addDocument({ title: 'Ferry', text, collection: 'ferries' })
  for await (const { status, error } of admin.documentEvents(id))
    if (status === 'failed') throw new Error(`not indexed: ${error}`)
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
  await model?.close()
})
beforeEach(() => model.reset())

/** Makes the model write these drafts in turn. Their last word is sent after `ends` has resolved. */
const writes = (drafts: string[], ends?: Promise<void>) => {
  const script = scriptOf([
    ...drafts.slice(1).map((draft) => ({ name: 'answer', when: /<<did not stand|<<sent/, answer: draft })),
    { name: 'answer', when: /./, answer: drafts[0] },
  ])
  model.script({ kind: 'chat' }, script)
  model.pace({ firstTokenMs: 20, tokensPerSecond: 60, ...(ends && { ends }) }, { kind: 'chat', name: undefined })
  return script
}

/** Ends the draft after its beginning was checked and shown. */
const endOnceShown = async (turn: Locator, end: () => void): Promise<void> => {
  await answerOf(turn).getByText('sails at 08:00').waitFor({ timeout: 25_000 })
  end()
}

/** Delays the check of the whole draft until the returned function is called. */
const holdCheck = (script: ReturnType<typeof writes>): (() => void) => {
  const gate = Promise.withResolvers<void>()
  model.script({ kind: 'chat', name: 'check' }, async (asked) => {
    await gate.promise
    return script(asked)
  })
  return gate.resolve
}

/** Returns the vertical position of the words in the rendered answer. */
const topOf = async (page: Page, words: string): Promise<number> => {
  const place = answerOf(page).locator('.cited').getByText(words)
  await place.waitFor()
  return (await place.boundingBox())?.y ?? -1
}

/** Asks a question whose answer is shown in part, while the remaining text is held. Returns the id of the run. */
const askHeld = async (page: Page, question: string): Promise<string> => {
  const { promise: ends, resolve: end } = Promise.withResolvers<void>()
  writes([[sails, invented, dogs].join(' '), invented], ends)
  const turn = await ask(page, question)
  await endOnceShown(turn, end)
  await turn.getByText('Held for review.').waitFor({ timeout: 20_000 })
  return (await turn.getAttribute('id')) ?? ''
}

describe('checked parts of an answer on the page', () => {
  for (const width of [1_280, 390])
    it(`appear before the end, survive a reload, and stay in their place at ${width} px`, async () => {
      const { page, faults, close } = await visit(browser, house, 'asker')
      await page.setViewportSize({ width, height: 900 })
      const { promise: ends, resolve: end } = Promise.withResolvers<void>()
      const release = holdCheck(writes([[sails, carries, costs, dogs].join(' ')], ends))
      await page.goto('/')
      const turn = await ask(page, `When does the ferry of Skerry sail (${width})?`)
      await endOnceShown(turn, end)
      await turn.getByRole('status').getByText('Checking the rest of the answer …').waitFor()
      expect(await turn.locator('[aria-live=polite] > p').last().textContent()).toMatch(/^\s*[A-Z][^[\]]+\.$/)
      await answerOf(turn).getByRole('link', { name: 'Source 1' }).first().click()
      const source = page.getByRole('complementary', { name: 'Source' })
      await source.locator('mark').first().waitFor()
      await page.keyboard.press('Escape')
      expect(await seriousFaults(page)).toEqual([])

      await page.reload()
      await answerOf(turn).getByText('sails at 08:00').waitFor()
      await turn.getByText('Checking the rest of the answer …').waitFor()
      const before = await topOf(page, 'sails at 08:00')
      release()
      await turn.getByText('4 of 4 claims supported').waitFor()
      expect(await answerOf(turn).innerText()).toContain('Dogs travel free')
      expect(await topOf(page, 'sails at 08:00')).toBe(before)
      expect(await turn.getByText('Checking the rest').count()).toBe(0)
      expect(faults).toEqual([])
      await close()
    })

  it('stay while the rest is held, and a reviewer who changes them is told so before, and the asker after', async () => {
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    const id = await askHeld(page, 'When does the Skerry ferry sail (edited)?')
    for (const reload of [false, true]) {
      if (reload) await page.reload()
      await page.getByText('The rest of the answer is being reviewed. The part above is checked.').waitFor()
      expect(await textOf(answerOf(page))).toContain('sails at 08:00')
      expect(await page.content()).not.toContain('Breakfast')
    }

    const desk = await visit(browser, house, 'desk')
    await countSoon(desk.page)
    await desk.page.goto(`/desk/${id}`)
    const read = desk.page.getByRole('list', { name: 'Claims of the draft' }).locator('.read')
    await read.getByText('The asker has already read this part').waitFor()
    expect(await read.allInnerTexts()).toEqual([expect.stringContaining('sails at 08:00')])
    expect(await seriousFaults(desk.page)).toEqual([])
    await expect.poll(() => desk.page.getByRole('button', { name: 'Approve' }).isEnabled()).toBe(true)
    await desk.page.keyboard.press('e')
    const warning = desk.page.getByText(
      'This edit changes text that the asker has already read. The asker gets a notice.',
    )
    expect(await warning.count()).toBe(0)
    const sentences = desk.page.getByRole('list', { name: 'Sentences' }).getByRole('textbox')
    await sentences.first().waitFor()
    for (let n = 1; n < (await sentences.count()); n += 1) await sentences.nth(n).fill('')
    await sentences.first().fill('A return ticket costs 12 euros [1].')
    await warning.waitFor()
    await desk.page.keyboard.press('Control+Enter')
    await page.getByText('A reviewer changed the text that you saw before.').waitFor()
    expect(await textOf(answerOf(page))).toContain('A return ticket costs 12 euros')
    expect(await textOf(answerOf(page))).not.toContain('sails at 08:00')
    expect([...faults, ...desk.faults]).toEqual([])
    await desk.close()
    await close()
  })

  it('are struck out after a rejection, of which the desk says that the asker is told', async () => {
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    const id = await askHeld(page, 'When does the Skerry ferry sail (rejected)?')
    const desk = await visit(browser, house, 'desk')
    await countSoon(desk.page)
    await desk.page.goto(`/desk/${id}`)
    await expect.poll(() => desk.page.getByRole('button', { name: 'Reject' }).isEnabled()).toBe(true)
    await desk.page.keyboard.press('x')
    await desk.page.getByText('will see that it was withdrawn.').waitFor()
    await desk.page.keyboard.press('Enter')
    await page.getByText('A reviewer withdrew this answer.').waitFor()
    const line = await answerOf(page)
      .locator('.cited')
      .evaluate((cited) => getComputedStyle(cited).textDecorationLine)
    expect(line).toBe('line-through')
    expect([...faults, ...desk.faults]).toEqual([])
    await desk.close()
    await close()
  })

  it('stay after a cancellation, and the thread says that they are incomplete', async () => {
    const { page, faults, close } = await visit(browser, house, 'asker')
    await page.goto('/')
    await askHeld(page, 'When does the Skerry ferry sail (cancelled)?')
    await page.getByRole('button', { name: 'Cancel this question' }).click()
    await page.getByText('This answer is incomplete. The part above is checked.').waitFor()
    writes([[costs, dogs].join(' ')])
    await box(page).focus()
    const next = await ask(page, 'What does a ticket of the ferry cost?')
    await answerOf(next).getByText('12 euros').waitFor()
    await page.reload()
    await page.getByText('This answer is incomplete. The part above is checked.').waitFor()
    expect(await answerOf(page).count()).toBe(2)
    expect(faults).toEqual([])
    await close()
  })

  it('carry a warning once later evidence disagrees with them', async () => {
    const [id = ''] = await parkMany(house.redisUrl, 1)
    await showPart(house.redisUrl, id)
    const { page, faults, close } = await visit(browser, house, 'desk')
    await page.goto(`/runs/${id}`)
    await page
      .getByText('Evidence found later disagrees with this part of the answer. A reviewer is checking this part.')
      .waitFor()
    expect(await textOf(answerOf(page))).toContain('Unused vacation carries over')
    await page.goto(`/desk/${id}`)
    await page.getByText('evidence that was found later contradicts the part that the asker has already read').waitFor()
    const ops = await visit(browser, house, 'admin')
    await ops.page.goto(`/ops/runs/${id}`)
    await ops.page
      .getByRole('region', { name: 'Part already shown to the asker' })
      .getByText('contradicted by later evidence')
      .waitFor()
    await ops.page.getByText('All events and what they changed').click()
    await ops.page.getByText('later evidence disagrees with the text that was shown').last().waitFor()
    expect([...faults, ...ops.faults]).toEqual([])
    await ops.close()
    await close()
  })

  it('are shown to the reviewer of a draft that does not begin with them', async () => {
    const [, id = ''] = await parkMany(house.redisUrl, 2)
    await showPart(house.redisUrl, id, 'Vacation never expires [1].')
    const { page, faults, close } = await visit(browser, house, 'desk')
    await page.goto(`/desk/${id}`)
    const part = page.getByRole('region', { name: 'The asker has already read this part' })
    await part.getByText('Vacation never expires').waitFor()
    await part.getByText('the asker sees that the text has changed').waitFor()
    expect(await page.locator('.claims .read').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })
})
