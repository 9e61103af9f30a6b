import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openHouse, type House } from '../house'
import { answerOf, ask, box } from './ask-page'
import { type Browser, openBrowser } from './browser'

let house: House
let browser: Browser
beforeAll(async () => {
  ;[house, browser] = await Promise.all([openHouse({}), openBrowser()])
  await house.add('The lighthouse', '# The lighthouse\n\nThe lighthouse of Skerry is 31 metres high.', 'islands')
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})
const visit = async () => {
  const visited = await browser.visit({ url: house.url })
  visited.page.setDefaultTimeout(10_000)
  await visited.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visited.page.goto('/')
  return visited
}
const question = 'How high is the lighthouse of Skerry?'

describe('an answer', () => {
  it('is copied with its sources, as text and as Markdown, and its link says that it is copied', async () => {
    const { page, faults, close } = await visit()
    const turn = await ask(page, question)
    await answerOf(turn).getByText('31 metres').first().waitFor()
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
    await turn.getByRole('button', { name: 'Copy answer', exact: true }).click()
    await expect.poll(copied).toMatch(/31 metres high[\s\S]*\nSources\n\[1\] The lighthouse$/)
    await turn.getByRole('button', { name: 'Copy answer as Markdown' }).click()
    await expect
      .poll(copied)
      .toMatch(/\*\*Sources\*\*\n\n- \[1\] \[The lighthouse\]\(http:\/\/127\.0\.0\.1:\d+\/documents\/islands\/[^)]+\)$/)
    await turn.getByRole('button', { name: 'Copy link' }).click()
    await turn.getByRole('button', { name: 'Link copied' }).waitFor()
    await page.goto(await copied())
    await answerOf(page).getByText('31 metres').first().waitFor()
    expect(faults).toEqual([])
    await close()
  })

  it('appears in the other tab of its thread', async () => {
    const { page, context, close } = await visit()
    await answerOf(await ask(page, question)).waitFor()
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('article', { name: question }).waitFor()
    const followUp = 'When was the lighthouse of Skerry built?'
    await ask(page, followUp)
    await other.getByRole('article', { name: followUp }).waitFor()
    await close()
  })

  it('that this key may not read says so', async () => {
    const { page, close } = await visit()
    await page.goto('/runs/rzzzzzzzzzzzzzzzzzzzzzzzzz')
    await page.getByRole('alert').getByText('You cannot see this question').waitFor()
    await close()
  })
})

describe('a long question', () => {
  it('grows the box to eight lines, counts its letters, and is never cut', async () => {
    const { page, close } = await visit()
    const heightOf = (): Promise<number> => box(page).evaluate((element) => element.clientHeight)
    const one = await heightOf()
    await box(page).fill('word '.repeat(720).trim())
    await page.getByText('401 characters left').waitFor()
    const eight = await heightOf()
    expect(eight).toBeGreaterThan(5 * one)
    expect(eight).toBeLessThan(10 * one)
    await box(page).fill('word '.repeat(900).trim())
    await page.getByText('499 characters too many. Shorten the question to ask it.').waitFor()
    expect(await page.getByRole('button', { name: 'Ask' }).isDisabled()).toBe(true)
    expect((await box(page).inputValue()).length).toBe(4_499)
    await close()
  })

  it('shows three lines as its heading, and all of it when asked', async () => {
    const { page, close } = await visit()
    const long = `${question} ${'It stands on the northern rock and guides the ships. '.repeat(20)}`.trim()
    await box(page).fill(long)
    await page.keyboard.press('Enter')
    const heading = page.getByRole('heading', { name: long, level: 2 })
    await heading.waitFor()
    const height = (): Promise<number> => heading.evaluate((element) => element.clientHeight)
    const clamped = await height()
    await page.getByRole('button', { name: 'Show the whole question' }).click()
    expect(await height()).toBeGreaterThan(2 * clamped)
    await close()
  })
})
