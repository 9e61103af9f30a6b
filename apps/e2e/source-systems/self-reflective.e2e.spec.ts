import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asks } from '../scenarios'
import type { WebPage } from '../web-pages'
import { openScene, type Scene } from './scene'
import { collections } from './self-rag-library'
import { outlineOf } from './transcript'
import type { ScriptedTurn } from './written-model'

const pixtral: WebPage = {
  title: 'Pixtral Large',
  url: 'https://models.example/pixtral-large',
  content: 'Mistral AI released Pixtral Large in November 2024. It is a multi-modal model with 124 billion parameters.',
}

const toDocuments = { to: 'research', logic: 'The notes may hold it.' }
const types: ScriptedTurn = {
  question: asks.memory,
  route: toDocuments,
  relevant: ['memory'],
  // The generator writes one draft per passage. Each line here is one of these drafts.
  drafts: [
    {
      text: `One type is sensory memory, which keeps raw input for a few seconds [raw input].
One type is short-term memory, which holds the working context of one conversation [working context].
One type is long-term memory, which keeps facts across conversations [keeps facts].`,
    },
  ],
}
const works = `Sensory memory keeps raw input for a few seconds [raw input].
Short-term memory holds the working context of one conversation [working context].`
const how: ScriptedTurn = { ...types, question: 'Explain how the different types of agent memory work?' }
const mistral: ScriptedTurn = {
  question: 'What is the recent Mistral multi-modal model?',
  route: toDocuments,
  relevant: ['Pixtral'],
  rewrites: [
    { query: 'vision encoder images', strategy: 'expand-terms', reason: 'Such a model reads images.' },
    { query: 'release notes', strategy: 'add-context', reason: 'A recent model has release notes.' },
    { query: 'prompt examples', strategy: 'rephrase-intent', reason: 'The name may be in an example.' },
    { query: 'new vision model of Mistral AI', strategy: 'add-context', reason: 'The name of the company.' },
  ],
  drafts: [{ text: 'It is Pixtral Large, released in November 2024, with 124 billion parameters [124 billion].' }],
}
/** The web has no page for this query. */
const nothing = { query: 'explained in one word', strategy: 'narrow-focus', reason: 'A shorter text.' }

const checked = { held: [], status: 'answered', reason: 'answered.checked' }
const rewritten = ['rewrites, 2 left', 'rewrites, 1 left', 'rewrites, 0 left']
const everySearch = ['1.1 index', '1.2 index', '1.3 index', '1.4 index', '1.5 web']

describe('the self-reflective system', { timeout: 120_000 }, () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene({
      policy: 'self-reflective',
      collections: {
        agents: {
          description: 'Notes about agents and language models.',
          documents: {
            ...collections['agents']?.documents,
            'Attacks on models': '# Attacks\n\nAn attack on a model uses tokens or gradients.',
            Images: '# Images\n\nA vision encoder splits images into patches.',
            Releases: '# Releases\n\nThe release notes appear each month.',
            Prompts: '# Prompts\n\nA prompt with examples is better than one without.',
          },
        },
      },
      pagesFor: (query) => (query.includes('vision model') ? [pixtral] : []),
    })
  }, 120_000)
  afterEach(() => expect(scene.server.faults).toEqual([]))
  afterAll(() => scene.close())

  it('writes a draft from each passage, and combines the drafts without a retry', async () => {
    const [played] = await scene.play(types)
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, route: 'research', searches: ['1.1 index'], counters: [], drafts: ['3 of 3'] },
    })
    expect(played!.run.answer?.text.match(/^One type is .*\[\d\]\.$/gm)).toHaveLength(3)
    expect(played!.searches).toEqual([])
    scene.show(played!)
  })

  it('reuses the passages of the last answer, and replaces an unsupported draft', async () => {
    const [, played] = await scene.play(types, {
      ...how,
      route: { to: 'continue', logic: 'The passages of the last answer explain it.' },
      drafts: [
        {
          text: `Sensory memory keeps raw input for a few seconds [raw input].
Short-term memory is a vector database [working context].`,
          wrong: { 'vector database': 'The passage names no database.' },
        },
        { text: works },
      ],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, route: 'continue', searches: ['1.1 index'] },
      ...{ counters: ['regenerations, 1 left'], drafts: ['1 of 2', '2 of 2'] },
    })
    expect(played!.run.answer?.text).not.toContain('database')
    scene.show(played!)
  })

  it('rewrites the query and searches again if an answer is supported but not useful', async () => {
    const rewrites = [
      { query: 'raw input, working context, facts', strategy: 'expand-terms', reason: 'The words of an explanation.' },
    ]
    const [played] = await scene.play({
      ...{ ...how, rewrites },
      drafts: [
        {
          text: 'Agents have sensory memory [raw input].',
          check: { usefulness: 2, why: 'It does not explain how a type works.' },
        },
        { text: works },
      ],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, route: 'research', searches: ['1.1 index', '1.2 index'] },
      ...{ counters: ['rewrites, 2 left'], drafts: ['1 of 1', '2 of 2'] },
    })
    expect(played!.run.queries).toEqual([how.question, ...rewrites.map(({ query }) => query)])
    expect(played!.searches).toEqual([])
    scene.show(played!)
  })

  it('searches the web if three rewritten queries find no relevant passage', async () => {
    const [played] = await scene.play(mistral)
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, route: 'research', searches: everySearch },
      ...{ counters: [...rewritten, 'webSearches, 0 left'], drafts: ['1 of 1'] },
    })
    expect(played!.searches).toEqual([mistral.rewrites!.at(-1)!.query])
    expect(played!.run.answer?.citations.map(({ url }) => url)).toEqual([pixtral.url])
    scene.show(played!)
  })

  it('lists its searches if the web has no relevant page either', async () => {
    const [played] = await scene.play({ ...mistral, rewrites: mistral.rewrites!.with(-1, nothing) })
    expect(outlineOf(played!)).toEqual({
      ...{ route: 'research', searches: everySearch, counters: [...rewritten, 'webSearches, 0 left'] },
      ...{ drafts: [], held: [], status: 'unanswered', reason: 'unanswered.all-irrelevant' },
    })
    expect(played!.run.answer?.text).toContain('with 5 queries, rewritten to expand terms')
    scene.show(played!)
  })

  it('holds a draft if two new drafts are unsupported too', async () => {
    const drafts = ['a vector', 'a graph', 'a relational'].map((kind) => ({
      text: `Short-term memory is ${kind} database [working context].`,
      wrong: { database: 'The passage names no database.' },
    }))
    const [played] = await scene.play({ ...how, drafts })
    expect(outlineOf(played!)).toEqual({
      ...{ route: 'research', searches: ['1.1 index'], counters: ['regenerations, 1 left', 'regenerations, 0 left'] },
      ...{ drafts: ['0 of 1', '0 of 1', '0 of 1'], held: ['parked.ungrounded by the reviewer'] },
      ...{ status: 'parked', reason: 'parked.ungrounded' },
    })
    expect(played!.run.answer).toBeUndefined()
    scene.show(played!)
  })

  it('releases a supported answer as incomplete if no further search makes it useful', async () => {
    const [played] = await scene.play({
      ...{ ...how, rewrites: mistral.rewrites!.with(-1, nothing) },
      drafts: [
        {
          text: 'Agents have sensory memory [raw input].',
          check: { usefulness: 2, why: 'It does not explain how a type works.' },
        },
      ],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ route: 'research', searches: everySearch, counters: [...rewritten, 'webSearches, 0 left'] },
      ...{ drafts: ['1 of 1'], held: [], status: 'answered', reason: 'answered.incomplete' },
    })
    expect(played!.run.answer?.caveat).toBe('Not every part of the question is answered.')
    scene.show(played!)
  })

  it('plays what docs/reference/scenarios.md shows', () => {
    const { committed, current } = scene.page()
    expect(committed, 'docs/reference/scenarios.md is out of date: npm run lab -- scenarios').toBe(current)
  })
})
