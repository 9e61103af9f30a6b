import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { promptTo, readPrompt } from '@plumbline/testing/scripted-model/prompt-content'
import { asks, documents } from '../scenarios'
import { openScene, type Scene } from './scene'
import { outlineOf } from './transcript'
import type { ScriptedTurn } from './written-model'

const pages = {
  memory: {
    title: 'Memory of agents',
    url: 'https://agents.example/memory',
    content: 'Agents have three types of memory. Our newsletter appears on Mondays.',
  },
  climate: {
    title: 'COP29 ends in Baku',
    url: 'https://climate.example/cop29',
    content:
      'The 2024 UN Climate Change Conference agreed in Baku on a finance goal of 300 billion dollars a year by 2035. It also agreed on rules for carbon markets.',
  },
}

const types: ScriptedTurn = {
  question: asks.memory,
  relevant: ['Sensory memory'],
  rewrites: [{ query: 'kinds of memory in AI agents', strategy: 'expand-terms', reason: 'Other words for the types.' }],
  strips: ['memory keeps', 'memory holds', 'types of memory'],
  drafts: [
    {
      text: `Agents have three types of memory [types of memory]:

- sensory memory keeps raw input for a few seconds [Sensory memory]
- short-term memory holds the working context of one conversation [Short-term memory]
- long-term memory keeps facts across conversations [Long-term memory]`,
    },
  ],
}
const works = 'Sensory memory keeps raw input for a few seconds [Sensory memory].'
const lasts = 'Long-term memory keeps facts across conversations until they are deleted [Long-term memory].'
const how: ScriptedTurn = {
  ...types,
  question: 'Explain how the different types of agent memory work?',
  drafts: [
    {
      text: `${works} Long-term memory is a vector database [Long-term memory].`,
      wrong: { 'vector database': 'The passage names no database.' },
    },
    { text: `${works} ${lasts}` },
  ],
}
const climate: ScriptedTurn = {
  question: 'What were the key outcomes of the 2024 UN Climate Change Conference?',
  relevant: [],
  rewrites: [{ query: 'COP29 Baku decisions', strategy: 'rephrase-intent', reason: 'The usual name of the event.' }],
  drafts: [
    {
      text: 'It agreed on a finance goal of 300 billion dollars a year by 2035 [finance goal]. It also agreed on rules for carbon markets [carbon markets].',
    },
  ],
}

describe('the corrective system', { timeout: 120_000 }, () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene({
      policy: 'corrective',
      collections: {
        agents: {
          description: 'Notes about agents.',
          documents: {
            'Agent memory': documents['Agent memory'] ?? '',
            'Attacks on models': '# Attacks on models\n\nThere are two types of attacks: by tokens and by gradients.',
            'Conference rooms': '# Conference rooms\n\nThe key of the conference room is at the desk.',
          },
        },
        java: { description: 'Notes about Java.', documents: { 'Text in Java': documents['Text in Java'] ?? '' } },
      },
      pagesFor: (query) => (query.includes('COP29') ? [pages.climate] : query.includes('memory') ? [pages.memory] : []),
    })
  }, 120_000)
  afterEach(() => expect(scene.server.faults).toEqual([]))
  afterAll(() => scene.close())

  it('replaces an irrelevant passage with a web page, and writes a new draft for the next question', async () => {
    const [first, second] = await scene.play(types, how)
    const corrected = { searches: ['1.1 index', '1.2 web'], held: [] }
    const checked = { status: 'answered', reason: 'answered.checked' }
    expect(outlineOf(first!)).toEqual({
      ...{ ...corrected, ...checked, route: null },
      ...{ counters: ['webSearches, 0 left'], drafts: ['4 of 4'] },
    })
    expect(outlineOf(second!)).toEqual({
      ...{ ...corrected, ...checked, route: 'research' },
      ...{ counters: ['webSearches, 0 left', 'regenerations, 0 left'], drafts: ['1 of 2', '2 of 2'] },
    })
    expect(second!.run.threadId).toBe(first!.run.threadId)
    const [query] = types.rewrites!.map((rewrite) => rewrite.query)
    expect(second!.searches).toEqual([query, query])
    scene.show(first!, second!)
  })

  it('reduces passages to their relevant strips before it writes', async () => {
    const from = scene.server.calls('chat').length
    const [played] = await scene.play(types)
    const calls = scene.server.calls('chat').slice(from)
    // Two passages are refined for the question over HTTP, and two for the same question in the terminal.
    expect(calls.filter(({ name }) => name === 'refine-evidence')).toHaveLength(4)
    const [writing] = calls.filter(({ name }) => name === undefined)
    const told = readPrompt(promptTo(writing!))
      .passages.map(({ body }) => body)
      .join('\n')
    expect(told).toContain('Agents have three types of memory.')
    expect(told).not.toContain('newsletter')
    expect(played!.run.answer?.text).toContain('three types of memory')
  })

  it('answers from the web alone if no passage is relevant', async () => {
    const [played] = await scene.play(climate)
    expect(outlineOf(played!)).toEqual({
      ...{ route: null, searches: ['1.1 index', '1.2 web'], counters: ['webSearches, 0 left'], drafts: ['2 of 2'] },
      ...{ held: [], status: 'answered', reason: 'answered.checked' },
    })
    expect(played!.run.answer?.citations.map(({ url }) => url)).toEqual([pages.climate.url])
    scene.show(played!)
  })

  it('lists its searches if the web has nothing either', async () => {
    const nothing = { query: 'summit of nations on warming', strategy: 'expand-terms', reason: 'Other words.' }
    const [played] = await scene.play({ ...climate, rewrites: [nothing] })
    expect(outlineOf(played!)).toEqual({
      ...{ route: null, searches: ['1.1 index', '1.2 web'], counters: ['webSearches, 0 left'], drafts: [], held: [] },
      ...{ status: 'unanswered', reason: 'unanswered.all-irrelevant' },
    })
    expect(played!.run.answer?.text).toMatch(/all of them are about something else\. Searched in agents with 2 queries/)
    scene.show(played!)
  })

  it('does not search the web if every passage is relevant', async () => {
    const [played] = await scene.play({
      question: 'Explain the difference between String, StringBuffer, and StringBuilder in Java.',
      collection: 'java',
      relevant: ['A String is immutable'],
      drafts: [
        {
          text: `| Class | Mutable | Synchronized |
|---|---|---|
| String | no | – [A String is] |
| StringBuffer | yes | yes [A String is] |
| StringBuilder | yes | no [A String is] |`,
        },
      ],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ route: null, searches: ['1.1 index'], counters: [], drafts: ['4 of 4'], held: [] },
      ...{ status: 'answered', reason: 'answered.checked' },
    })
    expect(played!.run.answer?.text.match(/^\| String.*\[\d\] \|$/gm)).toHaveLength(3)
    expect(played!.searches).toEqual([])
    scene.show(played!)
  })

  it('plays what docs/reference/scenarios.md shows', () => {
    const { committed, current } = scene.page()
    expect(committed, 'docs/reference/scenarios.md is out of date: npm run lab -- scenarios').toBe(current)
  })
})
