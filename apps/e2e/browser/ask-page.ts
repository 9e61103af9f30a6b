import type { Locator, Page } from 'playwright-core'
import { createClient, type Client } from '@plumbline/client'
import { prose, writePdf } from '@plumbline/parsing/spec/written-pdf'
import type { House } from '../house'
import type { Browser, Visit } from './browser'

const keys = {
  asker: 'asker-key-1',
  desk: 'desk-key-1',
  reader: 'reader-key-1',
  admin: 'admin-key-1',
} as const
export const apiKeys = [
  `${keys.asker}:acme:asker`,
  `${keys.desk}:acme:asker+reviewer`,
  `${keys.reader}:acme:reviewer`,
  `${keys.admin}:acme:admin`,
].join(',')

export type Key = keyof typeof keys

const skerry = `# Skerry

The lighthouse of Skerry is 31 metres high. It was lit for the first time in 1887.

## Keepers

| Keeper | From | To |
|---|---|---|
| Ann Marsh | 1887 | 1902 |
| Tom Reed | 1902 | 1921 |
`

export const as = (house: House, key: Key): Client => createClient({ url: house.url, key: keys[key] })

export const fill = async (house: House): Promise<void> => {
  const client = as(house, 'admin')
  await client.putCollection('islands', {
    description: 'Islands, their lighthouses and keepers.',
    questions: ['How high is the lighthouse of Skerry?'],
  })
  const { id } = await client.addDocument({ title: 'Skerry', text: skerry, collection: 'islands' })
  for await (const { status, error } of client.documentEvents(id))
    if (status === 'failed') throw new Error(`not indexed: ${error}`)
}

export const visit = async (browser: Browser, house: House, key: Key): Promise<Visit> => {
  const visited = await browser.visit({ url: house.url, key: keys[key] })
  visited.page.setDefaultTimeout(10_000)
  return visited
}

export const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Question' })
/** Asks a question without clicking the question box first, because it must have the focus after every navigation. */
export const ask = async (page: Page, question: string): Promise<Locator> => {
  await box(page).and(page.locator(':focus')).waitFor()
  await page.keyboard.type(question)
  await page.keyboard.press('Enter')
  return page.getByRole('article', { name: question })
}
export const answerOf = (within: Locator | Page): Locator => within.locator('.answer')
export const textOf = async (within: Locator): Promise<string> => (await within.textContent()) ?? ''

export const addDamaged = async (house: House): Promise<void> => {
  const lines = [
    'The winch of Skerry pulls 40 tons, and it was built in the year 1911.',
    'It is driven by steam, and two men are needed to work it in winter.',
    'The slipway ends at the boat house of the harbour of the island.',
  ]
  const over = ['A rebate of 412 euros', 'Prices are net of taxes', 'Delivery to the harbour']
  const put = [...prose(lines, 72, 120), ...prose([...lines, ...over], 72, 320), ...prose(over, 310, 120)]
  const client = as(house, 'admin')
  const file = new Blob([Buffer.from(writePdf([{ put }]))])
  const { id } = await client.uploadDocument(file, 'winch.pdf', { collection: 'islands', name: 'winch.pdf' })
  for await (const { status, error } of client.documentEvents(id))
    if (status === 'failed') throw new Error(`not indexed: ${error}`)
}
