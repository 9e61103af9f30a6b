import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asks, documents } from '../scenarios'
import { openScene, type Scene } from './scene'
import { outlineOf } from './transcript'
import type { ScriptedTurn } from './written-model'

const steps = [
  {
    question: 'What was the PUE of Singapore (2nd facility) in 2019 and 2022?',
    queries: ['data center PUE Singapore 2nd facility', 'PUE efficiency values 2019 2022'],
  },
  {
    question: 'What was the regional average CFE of Asia Pacific in 2023?',
    queries: ['regional average CFE Asia Pacific', 'CFE 2023 by region'],
  },
]
const known = 'The PUE of the 2nd facility in Singapore was 1.21 in 2022 [2nd facility].'
const cfe = 'The regional average CFE of Asia Pacific was 12% in 2023 [Asia Pacific].'
const missing = 'The table gives no PUE of the 2nd facility in Singapore for 2019 [2nd facility].'
const headline: ScriptedTurn = {
  question: asks.headline,
  route: { to: 'research' },
  plan: steps,
  drafts: [{ text: `${known} ${missing} ${cfe}` }],
}

const filled: ScriptedTurn = {
  ...headline,
  drafts: [
    {
      text: `${known} ${cfe} The PUE of the 2nd facility in Singapore was 1.17 in 2019 [2nd facility].`,
      wrong: { '1.17': 'The cell of 2019 is empty.' },
    },
    ...headline.drafts!,
  ],
}
const heldForAsker = {
  ...{ route: 'research', searches: ['1.1 index', '2.1 index'], counters: [], drafts: ['2 of 3'] },
  ...{ held: ['parked.ungrounded by the asker'], status: 'parked', reason: 'parked.ungrounded' },
}
const writtenAgain = {
  ...{ ...heldForAsker, drafts: ['2 of 3', '3 of 3'] },
  ...{ status: 'answered', reason: 'answered.checked' },
}

describe('the multi-agent research system', { timeout: 120_000 }, () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene({
      policy: 'research',
      collections: {
        reports: {
          description: 'Environmental reports of data centers: efficiency, energy and water.',
          documents: { 'Data centers': documents['Data centres'] ?? '' },
        },
      },
    })
  }, 120_000)
  afterEach(() => expect(scene.server.faults).toEqual([]))
  afterAll(() => scene.close())

  const weather: ScriptedTurn = {
    question: asks.weather,
    route: { to: 'decline', logic: 'It asks about the weather.' },
    reply: 'I cannot tell what the weather is like in Altamura: the reports here are about data centers.',
  }

  it('declines a question about the weather, and says why', async () => {
    const [played] = await scene.play(weather)
    expect(outlineOf(played!)).toEqual({
      ...{ route: 'decline', searches: [], counters: [], drafts: [], held: [] },
      ...{ status: 'declined', reason: 'declined.out-of-scope' },
    })
    expect(played!.run.answer).toMatchObject({ text: weather.reply, citations: [] })
    expect(played!.searches).toEqual([])
    scene.show(played!)
  })

  it('reads two tables in two parallel steps, and says which of three values is missing', async () => {
    const [played] = await scene.play(headline)
    expect(outlineOf(played!)).toEqual({
      ...{ route: 'research', searches: ['1.1 index', '2.1 index'], counters: [], drafts: ['3 of 3'], held: [] },
      ...{ status: 'answered', reason: 'answered.checked' },
    })
    const { run, events } = played!
    expect(run.plan.steps.map(({ waitsFor }) => waitsFor)).toEqual([null, null])
    const queries = events.flatMap((event) => (event.type === 'queried' ? [event.queries] : []))
    expect(queries).toHaveLength(2)
    for (const { question, queries: written } of steps) expect(queries).toContainEqual([question, ...written])
    expect(run.answer?.text).toMatch(/1\.21 in 2022 .* no PUE .* for 2019 .* 12% in 2023/)
    expect(run.answer?.citations.map(({ title }) => title)).toEqual(['Data centers', 'Data centers'])
    scene.show(played!)
  })

  it('holds a draft that invents the missing value, until the asker requests a new draft', async () => {
    const [held] = await scene.play(filled)
    expect(outlineOf(held!)).toEqual(heldForAsker)
    expect(held!.run.answer).toBeUndefined()
    const again = await scene.decide(held!, { action: 'retry' })
    expect(outlineOf(again)).toEqual(writtenAgain)
    expect(again.run.answer?.text).not.toContain('1.17')
    expect(again.run.answer?.text).toContain('no PUE')
    scene.show(again)
  })

  it('writes the new draft if the asker requests it in the terminal', async () => {
    const [again] = await scene.playInTerminal([filled], ['y'])
    expect(outlineOf(again!)).toEqual(writtenAgain)
    expect(again!.terminal).toMatchObject({ code: 0, output: expect.not.stringContaining('1.17') })
    expect(again!.terminal?.output).toContain('no PUE')
    scene.show(again!)
  })

  it('plays what docs/reference/scenarios.md shows', () => {
    const { committed, current } = scene.page()
    expect(committed, 'docs/reference/scenarios.md is out of date: npm run lab -- scenarios').toBe(current)
  })
})
