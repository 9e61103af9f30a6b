import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asks } from '../scenarios'
import { openScene, type Scene } from './scene'
import { collections, pagesFor } from './self-rag-library'
import { outlineOf } from './transcript'
import type { ScriptedTurn } from './written-model'

const types: ScriptedTurn = {
  question: asks.memory,
  collection: 'agents',
  relevant: ['memory'],
  drafts: [
    {
      text: `There are three types of agent memory:

- sensory memory, which keeps raw input for a few seconds [raw input]
- short-term memory, which holds the working context [working context]
- long-term memory, which keeps facts across conversations [keeps facts]`,
    },
  ],
}
const works = 'Sensory memory keeps raw input for a few seconds [raw input].'
const how: ScriptedTurn = {
  ...types,
  question: 'Explain how the different types of agent memory work?',
  drafts: [
    {
      text: `${works} Short-term memory is a vector database [working context].`,
      wrong: { 'vector database': 'The passage names no database.' },
    },
    { text: `${works} Short-term memory holds the working context of one conversation [working context].` },
  ],
}
const vaccines: ScriptedTurn = {
  question: 'Is it true that vaccines cause autism?',
  collection: 'one-study',
  relevant: ['vaccine', 'Vaccine'],
  sensitive: ['autism'],
  rewrites: [{ query: 'vaccination and autism studies', strategy: 'expand-terms', reason: 'A second source.' }],
  drafts: [{ text: 'No: the study of 657,461 children found no link between the vaccine and autism [657,461].' }],
}
const general: ScriptedTurn = {
  question: asks.inflation,
  collection: 'economy',
  relevant: ['nflation'],
  drafts: [
    {
      text: 'Inflation makes money worth less: prices rise, and savings lose value [savings lose value].',
      check: { tooBroad: true, why: 'Its effects differ between households and businesses.' },
    },
  ],
  reply: 'Do you mean the effects on households or on businesses?',
}
const narrowed: ScriptedTurn = {
  question: 'On businesses, please.',
  whole: 'What are the effects of inflation on businesses?',
  relevant: ['nflation'],
  drafts: [{ text: 'For businesses, inputs and wages become more expensive [inputs and wages].' }],
}

const checked = { held: [], status: 'answered', reason: 'answered.checked' }
const tooBroad = {
  ...{ route: null, searches: ['1.1 index'], counters: [], drafts: ['1 of 1'], held: [] },
  ...{ status: 'needs_input', reason: 'needs_input.too-broad' },
}
const narrower = { ...checked, route: 'research', searches: ['1.1 index'], counters: [], drafts: ['1 of 1'] }
/** The expected outcome if only one passage is found and the web has no page: the draft is held. */
const oneSource = {
  ...{ route: null, searches: ['1.1 index', '1.2 web'], counters: ['webSearches, 3 left'], drafts: ['1 of 1'] },
  held: ['parked.sensitive by the reviewer'],
}

describe('the self-reflective system with the web as its reserve', { timeout: 120_000 }, () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene({ policy: 'self-rag', collections, pagesFor })
  }, 120_000)
  afterEach(() => expect(scene.server.faults).toEqual([]))
  afterAll(() => scene.close())

  it('answers from relevant passages, and writes a new draft for the next question', async () => {
    const [first, second] = await scene.play(types, how)
    expect(outlineOf(first!)).toEqual({
      ...{ ...checked, route: null, searches: ['1.1 index'], counters: [], drafts: ['4 of 4'] },
    })
    expect(outlineOf(second!)).toEqual({
      ...{ ...checked, route: 'research', searches: ['1.1 index'] },
      ...{ counters: ['regenerations, 2 left'], drafts: ['1 of 2', '2 of 2'] },
    })
    expect(second!.searches).toEqual([])
    scene.show(first!, second!)
  })

  it('searches the web for a recent event, and searches again if the answer is not useful', async () => {
    const rewrites = ['COP29 Baku', 'COP29 decisions on finance and carbon markets'].map((query) => ({
      ...{ query, strategy: 'add-context', reason: 'The usual name of the event.' },
    }))
    const [played] = await scene.play({
      question: 'What were the key outcomes of the 2024 UN Climate Change Conference?',
      ...{ collection: 'agents', relevant: [], rewrites },
      drafts: [
        {
          text: 'The conference took place in Baku in November 2024 [took place].',
          check: { usefulness: 2, why: 'It names no outcome.' },
        },
        { text: 'It agreed on a finance goal of 300 billion dollars a year by 2035 [finance goal].' },
      ],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, route: null, searches: ['1.1 index', '1.2 web', '1.3 web'] },
      ...{ counters: ['webSearches, 3 left', 'webSearches, 2 left'], drafts: ['1 of 1', '1 of 1'] },
    })
    expect(played!.searches).toEqual(rewrites.map(({ query }) => query))
    scene.show(played!)
  })

  it('compares three classes in a table, without the web', async () => {
    const [played] = await scene.play({
      question: 'Explain the difference between String, StringBuffer, and StringBuilder in Java.',
      ...{ collection: 'java', relevant: ['immutable', 'mutable'] },
      drafts: [
        {
          text: `| Class | Mutable | Synchronized |
|---|---|---|
| String | no | – [is immutable] |
| StringBuffer | yes | yes [are synchronized] |
| StringBuilder | yes | no [not synchronized] |`,
        },
      ],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, route: null, searches: ['1.1 index'], counters: [], drafts: ['4 of 4'] },
    })
    expect(played!.run.answer?.text.match(/^\| String.*\[\d\] \|$/gm)).toHaveLength(3)
    expect(played!.searches).toEqual([])
    scene.show(played!)
  })

  it('answers a broad question in general, asks for the subject, and understands the reply', async () => {
    const [first, second] = await scene.play(general, narrowed)
    expect(outlineOf(first!)).toEqual(tooBroad)
    expect(first!.run.answer).toMatchObject({ question: general.reply, text: expect.stringContaining('worth less') })
    expect(outlineOf(second!)).toEqual(narrower)
    expect(second!.run).toMatchObject({ standalone: narrowed.whole, threadId: first!.run.threadId })
    scene.show(first!, second!)
  })

  it('holds an answer about health that has only one source, until a reviewer approves it', async () => {
    const [held] = await scene.play(vaccines)
    expect(outlineOf(held!)).toEqual({ ...oneSource, status: 'parked', reason: 'parked.sensitive' })
    expect(held!.run.answer).toBeUndefined()
    const approved = await scene.decide(held!, { action: 'approve', note: 'The study is large enough.' })
    expect(outlineOf(approved)).toEqual({ ...oneSource, status: 'answered', reason: 'answered.decided' })
    expect(approved.run.answer?.text).toMatch(/^No: /)
    scene.show(approved)
  })

  it('releases the same answer if a reviewer approves it in the terminal', async () => {
    const [approved] = await scene.playInTerminal([vaccines], ['a'])
    expect(outlineOf(approved!)).toEqual({ ...oneSource, status: 'answered', reason: 'answered.decided' })
    expect(approved!.terminal).toMatchObject({ code: 0, output: expect.stringContaining('No: the study of 657,461') })
    scene.show(approved!)
  })

  it('releases an answer about health that has two sources', async () => {
    const [played] = await scene.play({
      ...vaccines,
      collection: 'two-studies',
      drafts: [
        {
          text: 'No: a study of 657,461 children [657,461] and a review of ten studies [ten studies] found no link between vaccines and autism.',
        },
      ],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, route: null, searches: ['1.1 index'], counters: [], drafts: ['1 of 1'] },
    })
    expect(new Set(played!.run.answer?.citations.map(({ title }) => title)).size).toBe(2)
    scene.show(played!)
  })

  it('calculates compound interest in code, from the numbers of the question', async () => {
    const [played] = await scene.play({
      question:
        'How do I calculate the compound interest on a loan of $10,000 at 5% annual interest rate for 3 years, compounded monthly?',
      ...{ collection: 'loans', relevant: ['nterest'] },
      drafts: [
        {
          text: 'Raise one plus the rate of a month to the number of months, multiply it by the loan, and subtract the loan [number of months]. That makes {{ 10000 * (1 + 0.05/12)^(12*3) - 10000 | 2 }} dollars, because interest is added twelve times a year [twelve times].',
        },
      ],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, route: null, searches: ['1.1 index'], counters: [], drafts: ['2 of 2'] },
    })
    expect(played!.run.answer?.text).toContain('1,614.72 dollars')
    scene.show(played!)
  })

  it('plays what docs/reference/scenarios.md shows', () => {
    const { committed, current } = scene.page()
    expect(committed, 'docs/reference/scenarios.md is out of date: npm run lab -- scenarios').toBe(current)
  })
})
