import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '@plumbline/client'
import { allStages } from '@plumbline/stages/all'
import { generatorWriting } from '../generator-writing'
import { openHouse, type House } from '../house'
import { ask } from './ask-page'
import { type Browser, openBrowser, type Visit } from './browser'

const orbits = `# The planets in tables

## Orbits and days

| Planet | Distance from the Sun (10^6 km) | Orbital period (days) | Orbital velocity (km/s) | Eccentricity | Radius (km) | Known moons | Length of day (hours) |
|---|---|---|---|---|---|---|---|
| Mercury | 57.9 | 88.0 | 47.4 | 0.206 | 2,439.7 | 0 | 4222.6 |
| Venus | 108.2 | 224.7 | 35.0 | 0.007 | 6,051.8 | 0 | 2802.0 |
| Mars | 228.0 | 687.0 | 24.1 | 0.094 | 3,389.5 | 2 | 24.7 |
`
const questions = { length: 'What is the length of day of Mars?', moons: 'How many known moons does Mars have?' }
const texts: Record<string, string> = {
  [questions.length]: 'For Mars, Length of day is 24.7 hours [1].',
  [questions.moons]: 'For Mars, Known moons is 14 [1].',
}
const keys = { asker: 'asker-key-1', desk: 'desk-key-11' }

let house: House
let browser: Browser
beforeAll(async () => {
  const stages = Object.values({ ...allStages, generator: generatorWriting((question) => texts[question] ?? '') })
  const env = { API_KEYS: `${keys.asker}:acme:asker:*,${keys.desk}:acme:reviewer+admin:*` }
  ;[house, browser] = await Promise.all([openHouse({ stages, env, key: keys.desk }), openBrowser()])
  await house.add('The planets in tables', orbits, 'planets')
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await house?.close()
})

const sizes = [
  { width: 1_440, height: 900 },
  { width: 1_024, height: 768 },
  { width: 390, height: 844 },
]
const visit = async (key: keyof typeof keys, size: { width: number; height: number }): Promise<Visit> => {
  const visited = await browser.visit({ url: house.url, key: keys[key], ...size })
  visited.page.setDefaultTimeout(10_000)
  return visited
}

/** Returns the texts of other elements that cover parts of the bar with the decision buttons. */
const coveredPoints = (page: Page): Promise<string[]> =>
  page.locator('.actions').evaluate((bar) => {
    const { left, right, top, height } = bar.getBoundingClientRect()
    const points = Array.from({ length: Math.floor((right - left) / 10) }, (_, n) => left + 5 + 10 * n)
    return points.flatMap((x) => {
      const shown = document.elementFromPoint(x, top + height / 2)
      return bar.contains(shown) ? [] : [shown?.textContent ?? '']
    })
  })

/** Returns the words of table cells that are broken into more than one line. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const broken: string[] = []
    for (const cell of document.querySelectorAll('td, th')) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        for (const { index, 0: word } of (texts.currentNode.textContent ?? '').matchAll(/[^\s/-]+/g)) {
          const range = new Range()
          range.setStart(texts.currentNode, index)
          range.setEnd(texts.currentNode, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word)
        }
      }
    }
    return broken
  })

/** Returns whether a cell is visible beside the first cell of its row, which stays in place when the table scrolls. */
const isSeen = (cell: Locator): Promise<boolean> =>
  cell.evaluate((element) => {
    const [frame, head] = [element.closest('.table')!, element.parentElement!.firstElementChild!]
    const [box, outer, first] = [element, frame, head].map((each) => each.getBoundingClientRect())
    return first!.left >= outer!.left - 1 && box!.left >= first!.right - 1 && box!.right <= outer!.right + 1
  })

describe.each(sizes)('a wide table as evidence, $width px wide', (size) => {
  it('shows an asker the cited cell, with no word broken', async () => {
    const { page, faults, close } = await visit('asker', size)
    await page.goto('/')
    const turn = await ask(page, questions.length)
    await turn.getByRole('link', { name: 'Source 1' }).first().click()
    const source = page.getByRole('complementary', { name: 'Source' })
    const cell = source.locator('.cited-cell')
    await expect.poll(() => cell.allTextContents()).toEqual(['24.7'])
    expect(await isSeen(cell)).toBe(true)
    await expect.poll(() => source.locator('.cited-head').allTextContents()).toEqual(['Length of day (hours)', 'Mars'])
    expect(await source.locator('th:visible').allTextContents()).toEqual(['Planet', 'Length of day (hours)'])
    expect(await cell.evaluate((element) => getComputedStyle(element).textAlign)).toBe('right')
    expect(await brokenWords(page)).toEqual([])
    await source.getByRole('button', { name: 'all 8 columns' }).click()
    await expect.poll(() => source.locator('th:visible').count()).toBe(8)
    expect(await isSeen(cell)).toBe(true)
    expect(await brokenWords(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })

  it('shows a reviewer the cell that contradicts a claim, with no word broken', async () => {
    const asker = createClient({ url: house.url, key: keys.asker })
    const { id } = await asker.ask({ question: questions.moons, collection: 'planets' })
    for await (const event of asker.events(id)) if (event.type === 'parked') break
    const { page, faults, close } = await visit('desk', size)
    await page.goto(`/desk/${id}`)
    const cell = page.getByRole('main').locator('.cited-cell')
    await expect.poll(() => cell.allTextContents()).toEqual(['2'])
    expect(await isSeen(cell)).toBe(true)
    expect(await brokenWords(page)).toEqual([])
    const top = (await cell.boundingBox())?.y ?? 0
    await page.setViewportSize({ width: size.width, height: Math.round(top + 60) })
    expect(await coveredPoints(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  })
})

it('has all decisions in one row at 1,280 px, and takes at most 64 px of a phone', async () => {
  const asker = createClient({ url: house.url, key: keys.asker })
  const { id } = await asker.ask({ question: questions.moons, collection: 'planets' })
  for await (const event of asker.events(id)) if (event.type === 'parked') break
  const { page, close } = await visit('desk', { width: 1_280, height: 800 })
  await page.goto(`/desk/${id}`)
  const buttons = page.getByRole('group', { name: 'Decide' }).getByRole('button')
  await buttons.last().waitFor()
  const tops = async (): Promise<number[]> =>
    buttons.evaluateAll((all) => [...new Set(all.map((one) => one.getBoundingClientRect().top))])
  await page.getByText('1 of 1 claim is not supported').waitFor()
  expect(await tops()).toHaveLength(1)
  await page.setViewportSize({ width: 390, height: 844 })
  const reuse = page.getByRole('checkbox', { name: /^Reuse this answer when the question is asked again/ })
  await reuse.waitFor()
  expect((await page.locator('.actions').boundingBox())?.height).toBeLessThanOrEqual(64)
  await reuse.check()
  await close()
})
