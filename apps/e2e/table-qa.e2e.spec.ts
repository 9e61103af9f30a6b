import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '@plumbline/contracts'
import { openHouse, type House } from './house'

const docs = join(import.meta.dirname, '..', '..', 'lab', 'eval', 'docs', 'pellmere')
const files = ['environment-statement-2023.md', 'packaging-suppliers.csv', 'site-energy.csv']

let house: House
beforeAll(async () => {
  house = await openHouse()
  for (const file of files) {
    const { id } = await house.client.uploadDocument(await openAsBlob(join(docs, file)), file, {
      collection: 'pellmere',
    })
    for await (const { status, error } of house.client.documentEvents(id))
      if (status === 'failed') throw new Error(error)
  }
})
afterAll(() => house.close())

const ask = (question: string): Promise<RunView> =>
  house.client.ask({ question, collection: 'pellmere' }, { waitSeconds: 30 })
const quoted = ({ answer }: RunView): string => answer?.quotes?.map(({ text }) => text).join('\n') ?? ''

describe('questions over the tables of documents, over HTTP and without a model', () => {
  it.each([
    ['What is the permit limit COD of Aldersike?', /\b650\b/, files[0]],
    ['target 2027 of oat drinks', /0\.40/, files[0]],
    ['How many breaches in 2023 did Coldwell Bridge have?', /\b1\b/, files[0]],
    ['What is the price of the cap 38 mm, tethered?', /8\.05/, files[1]],
    ['What were the emissions of Scope 1, boilers in 2021?', /11,960/, files[0]],
  ])('that name a cell by the table’s own words are answered with it, checked: %s', async (question, figure, from) => {
    const run = await ask(question)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked', answer: { kind: 'written' } })
    expect(run.answer?.text).toMatch(figure)
    expect(run.grounding?.claims.map(({ verdict }) => verdict)).toEqual(['supported'])
    expect(quoted(run)).toMatch(figure)
    expect(run.answer?.citations.map(({ file }) => file)).toEqual([from])
  })

  it('about a cell without a value are answered with its absence', async () => {
    const run = await ask('What were the emissions of Scope 3, packaging in 2019?')
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(run.answer?.text).toMatch(/^The table lists Scope 3, packaging without a value for 2019 \[1\]\.$/m)
  })

  it('of two parts are searched in two steps, and answered cell by cell', async () => {
    const run = await ask('What is the permit limit COD of Aldersike, and what is the target 2027 of oat drinks?')
    expect(run.plan.steps).toHaveLength(2)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(run.answer?.text).toMatch(/650.*0\.40/)
  })

  it.each([
    ['how much more milk did they take in at Tarnside after the flood', 'Tarnside'],
    ['who delivers the big milk cartons', 'Norrland Board AB'],
  ])('that are anything less certain are quoted: %s', async (question, says) => {
    const run = await ask(question)
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted', answer: { kind: 'quoted' } })
    expect(run.grounding).toBeUndefined()
    expect(quoted(run)).toContain(says)
  })
})
