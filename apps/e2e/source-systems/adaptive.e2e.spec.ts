import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { asks, documents } from '../scenarios'
import { openScene, type Scene } from './scene'
import { outlineOf } from './transcript'
import type { ScriptedTurn } from './written-model'

const pages = {
  mistral: {
    title: 'Pixtral Large',
    url: 'https://models.example/pixtral-large',
    content:
      'Mistral AI released Pixtral Large in November 2024. It is a multi-modal model with 124 billion parameters.',
  },
  bears: {
    title: 'The first round of 2024',
    url: 'https://football.example/first-round',
    content: 'The Chicago Bears had the first pick of the 2024 NFL draft and chose the quarterback Caleb Williams.',
  },
  hunter: {
    title: 'Ranking of the scouts',
    url: 'https://football.example/scouts',
    content: 'The scouts rank Travis Hunter as the top candidate in the 2025 NFL draft.',
  },
  ward: {
    title: 'Ranking of the coaches',
    url: 'https://football.example/coaches',
    content: 'The coaches rank Cam Ward as the top candidate in the 2025 NFL draft.',
  },
  memory: {
    title: 'Memory of agents',
    url: 'https://agents.example/memory',
    content: 'Agents have three types of memory: sensory, short-term and long-term memory.',
  },
}
const pagesFor = (query: string) => {
  if (query.includes('Mistral')) return [pages.mistral]
  if (query.includes('2025')) return [pages.hunter, pages.ward]
  return query.includes('Bears') ? [pages.bears] : [pages.memory]
}

const toWeb = { to: 'web', logic: 'The collections are about agents.' }
const mistral: ScriptedTurn = {
  question: 'What is the recent Mistral multi-modal model?',
  route: toWeb,
  drafts: [{ text: 'It is Pixtral Large, released in November 2024, with 124 billion parameters [124 billion].' }],
}
const bears: ScriptedTurn = { question: 'Who will the Bears draft first in the NFL draft?', route: toWeb }
const caleb = 'The Bears chose Caleb Williams first in the 2024 NFL draft [Caleb Williams].'
const memory: ScriptedTurn = { question: asks.memory, route: { to: 'research' }, relevant: ['Sensory memory'] }

/** The expected outcome of a run without any retry. */
const plain = { counters: [], held: [], status: 'answered', reason: 'answered.checked' }

describe('the adaptive system', { timeout: 120_000 }, () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene({
      policy: 'adaptive',
      collections: {
        agents: {
          description: 'Agents, prompt engineering and attacks on language models.',
          documents: {
            'Agent memory': documents['Agent memory'] ?? '',
            'Attacks on models': '# Attacks on models\n\nThere are two types of attacks: by tokens and by gradients.',
          },
        },
      },
      pagesFor,
    })
  }, 120_000)
  afterEach(() => expect(scene.server.faults).toEqual([]))
  afterAll(() => scene.close())

  it('searches the web with the unchanged question if no collection covers its subject', async () => {
    const [played] = await scene.play(mistral)
    expect(outlineOf(played!)).toEqual({ ...plain, route: 'web', searches: ['1.1 web'], drafts: ['1 of 1'] })
    expect(played!.searches).toEqual([mistral.question])
    expect(played!.run.answer?.citations.map(({ url }) => url)).toEqual([pages.mistral.url])
    scene.show(played!)
  })

  it('writes a new draft if no page supports the claim', async () => {
    const invented = 'The Bears will trade their first pick [Caleb Williams].'
    const wrong = { trade: 'The page names a player and no trade.' }
    const [played] = await scene.play({ ...bears, drafts: [{ text: invented, wrong }, { text: caleb }] })
    expect(outlineOf(played!)).toEqual({
      ...{ ...plain, route: 'web', searches: ['1.1 web'], drafts: ['0 of 1', '1 of 1'] },
      counters: ['regenerations, 2 left'],
    })
    expect(played!.run.answer?.text).toMatch(/^The Bears chose Caleb Williams/)
    scene.show(played!)
  })

  it('names both candidates if two pages disagree', async () => {
    const hunter = 'The top candidate in the 2025 NFL draft is Travis Hunter [The scouts rank].'
    const both =
      'The scouts rank Travis Hunter first [The scouts rank], and the coaches rank Cam Ward first [The coaches rank].'
    const [played] = await scene.play({
      question: 'Who is the top candidate in the 2025 NFL draft?',
      route: toWeb,
      drafts: [{ text: hunter, conflicts: { Hunter: 'Cam Ward' } }, { text: both }],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ ...plain, route: 'web', searches: ['1.1 web'], drafts: ['0 of 1', '1 of 1'] },
      counters: ['regenerations, 2 left'],
    })
    expect(played!.run.answer?.text).toMatch(/Travis Hunter.*Cam Ward/)
    expect(played!.run.answer?.citations.map(({ url }) => url).sort()).toEqual([pages.ward.url, pages.hunter.url])
    scene.show(played!)
  })

  it('releases the last draft with a warning if three retries do not help', async () => {
    const guesses = ['a kicker', 'a receiver', 'a safety', 'a guard']
    const drafts = guesses.map((guess) => ({
      text: `The Bears will draft ${guess} first [Caleb Williams].`,
      wrong: { [guess]: `The page names a quarterback, not ${guess}.` },
    }))
    const [played] = await scene.play({ ...bears, drafts })
    expect(outlineOf(played!)).toEqual({
      ...{ route: 'web', searches: ['1.1 web'], drafts: ['0 of 1', '0 of 1', '0 of 1', '0 of 1'], held: [] },
      counters: ['regenerations, 2 left', 'regenerations, 1 left', 'regenerations, 0 left'],
      ...{ status: 'answered', reason: 'answered.marked' },
    })
    expect(played!.run.answer).toMatchObject({
      text: expect.stringContaining('a guard'),
      caveat: expect.stringContaining('Not every statement'),
    })
    scene.show(played!)
  })

  it('adds web pages to the relevant passages if one passage is irrelevant', async () => {
    const text = 'Agents have sensory, short-term and long-term memory [three types].'
    const lasts = 'Sensory memory keeps raw input for a few seconds [Sensory memory].'
    const [played] = await scene.play({ ...memory, drafts: [{ text: `${text} ${lasts}` }] })
    expect(outlineOf(played!)).toEqual({
      ...{ ...plain, route: 'research', searches: ['1.1 index', '1.2 web'], drafts: ['2 of 2'] },
      counters: ['webSearches, 2 left'],
    })
    expect(played!.searches).toEqual([memory.question])
    expect(played!.run.answer?.citations.map(({ title }) => title).sort()).toEqual(['Agent memory', 'Memory of agents'])
    scene.show(played!)
  })

  it('searches the web if an answer is supported but not useful', async () => {
    const useless = 'Sensory memory keeps raw input for a few seconds [Sensory memory].'
    const text = 'Agents have sensory, short-term and long-term memory [three types].'
    const check = { usefulness: 2, why: 'It names one type of three.' }
    const [played] = await scene.play({
      ...{ ...memory, relevant: ['memory', 'attacks'] },
      drafts: [{ text: useless, check }, { text }],
    })
    expect(outlineOf(played!)).toEqual({
      ...{ ...plain, route: 'research', searches: ['1.1 index', '1.2 web'], drafts: ['1 of 1', '1 of 1'] },
      counters: ['webSearches, 2 left'],
    })
    scene.show(played!)
  })

  it('plays what docs/reference/scenarios.md shows', () => {
    const { committed, current } = scene.page()
    expect(committed, 'docs/reference/scenarios.md is out of date: npm run lab -- scenarios').toBe(current)
  })
})
