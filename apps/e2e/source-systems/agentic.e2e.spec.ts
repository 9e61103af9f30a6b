import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from './scene'
import { outlineOf } from './transcript'
import type { ScriptedTurn } from './written-model'

const assistants = { Assistants: '# Assistants\n\nAssistants answer within a minute.' }
const messages = { Messages: '# Messages\n\nMessages are listed by date.' }
const shortTerm = 'Short-term memory holds the working context of one conversation.'
const longTerm = 'Long-term memory keeps facts across conversations until they are deleted.'

const recall: ScriptedTurn = {
  question: 'How do assistants recall earlier chats?',
  relevant: ['memory'],
  rewrites: [
    { query: 'messages list', strategy: 'expand-terms', reason: 'Chats may be called messages.' },
    { query: 'working context conversations', strategy: 'rephrase-intent', reason: 'The words of the answer.' },
  ],
  drafts: [
    {
      text: 'Long-term memory keeps facts across conversations [Long-term]. Short-term memory holds one conversation [Short-term].',
    },
  ],
}
const keeps = 'Long-term memory keeps facts until they are deleted [Long-term].'
const keep: ScriptedTurn = {
  question: 'How long do agents keep facts in long-term memory?',
  collection: 'retention',
  relevant: ['memory', 'erased'],
  rewrites: [{ query: 'erased entries', strategy: 'add-context', reason: 'The time is missing.' }],
  drafts: [
    { text: `${keeps} It keeps them for two years [Long-term].`, wrong: { 'two years': 'The passage gives no time.' } },
    { text: `${keeps} Entries are erased after one year [erased].` },
  ],
}
const checked = { route: null, held: [], status: 'answered', reason: 'answered.checked' }

describe('the agentic system', { timeout: 120_000 }, () => {
  let scene: Scene
  beforeAll(async () => {
    scene = await openScene({
      policy: 'agentic',
      collections: {
        agents: {
          description: 'Notes about agents.',
          documents: { ...assistants, ...messages, 'Short-term memory': shortTerm, 'Long-term memory': longTerm },
        },
        office: {
          description: 'Notes about an office.',
          documents: {
            ...{ ...assistants, ...messages },
            Dialogs: '# Dialogs\n\nDialogs close with a click.',
            Transcripts: '# Transcripts\n\nTranscripts of meetings are kept in the archive.',
          },
        },
        retention: {
          description: 'Notes about the memory of agents.',
          documents: {
            'Long-term memory': longTerm,
            'Memory of agents': 'Agents have a memory for facts.',
            Retention: '# Retention\n\nEntries are erased after one year.',
            Entries: '# Entries\n\nEntries are numbered.',
          },
        },
      },
    })
  }, 120_000)
  afterEach(() => expect(scene.server.faults).toEqual([]))
  afterAll(() => scene.close())

  it('rewrites the query until two passages are relevant', async () => {
    const [played] = await scene.play(recall)
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, searches: ['1.1 index', '1.2 index', '1.3 index'], drafts: ['2 of 2'] },
      counters: ['rewrites, 2 left', 'rewrites, 1 left'],
    })
    expect(played!.run.rewrites).toBe(2)
    expect(played!.run.queries).toEqual([recall.question, ...recall.rewrites!.map(({ query }) => query)])
    scene.show(played!)
  })

  it('lists its searches if three rewritten queries find nothing relevant', async () => {
    const rewrites = [
      { query: 'messages list', strategy: 'expand-terms', reason: 'Chats may be called messages.' },
      { query: 'dialogs click', strategy: 'narrow-focus', reason: 'Chats may be called dialogs.' },
      { query: 'transcripts archive', strategy: 'rephrase-intent', reason: 'Chats may be kept as transcripts.' },
    ]
    const [played] = await scene.play({ ...recall, collection: 'office', rewrites })
    expect(outlineOf(played!)).toEqual({
      ...{ route: null, searches: ['1.1 index', '1.2 index', '1.3 index', '1.4 index'], drafts: [], held: [] },
      counters: ['rewrites, 2 left', 'rewrites, 1 left', 'rewrites, 0 left'],
      ...{ status: 'unanswered', reason: 'unanswered.all-irrelevant' },
    })
    expect(played!.run.answer?.text).toContain(
      'Searched in office with 4 queries, rewritten to expand terms, narrow focus, rephrase intent.',
    )
    scene.show(played!)
  })

  it('searches for evidence of an unsupported claim, and writes a new draft', async () => {
    const [played] = await scene.play(keep)
    expect(outlineOf(played!)).toEqual({
      ...{ ...checked, searches: ['1.1 index', '1.2 index'], drafts: ['1 of 2', '2 of 2'] },
      counters: ['augments, 2 left'],
    })
    expect(played!.run.answer?.text).toContain('after one year')
    expect(played!.run.answer?.citations.map(({ title }) => title).sort()).toEqual(['Long-term memory', 'Retention'])
    scene.show(played!)
  })

  it('shares one counter between both kinds of retries, and then releases a draft with a warning', async () => {
    const years = ['two', 'three', 'four']
    const [played] = await scene.play({
      ...keep,
      // Only one passage passes at first, so that the query is rewritten before the first draft.
      relevant: ['Long-term memory keeps', 'erased'],
      rewrites: [
        { query: 'erased entries', strategy: 'expand-terms', reason: 'Facts may be called entries.' },
        { query: 'entries numbered', strategy: 'add-context', reason: 'The time is missing.' },
        { query: 'memory facts agents', strategy: 'narrow-focus', reason: 'The time is missing.' },
      ],
      drafts: years.map((count) => ({
        text: `${keeps} It keeps them for ${count} years [Long-term].`,
        wrong: { [`${count} years`]: 'The passage gives another time.' },
      })),
    })
    expect(outlineOf(played!)).toEqual({
      ...{ route: null, searches: ['1.1 index', '1.2 index', '1.3 index', '1.4 index'], held: [] },
      counters: ['rewrites, 2 left', 'augments, 1 left', 'augments, 0 left'],
      ...{ drafts: ['1 of 2', '1 of 2', '1 of 2'], status: 'answered', reason: 'answered.with-caveat' },
    })
    expect(played!.run.answer?.caveat).toContain('Not every statement')
    scene.show(played!)
  })

  it('plays what docs/reference/scenarios.md shows', () => {
    const { committed, current } = scene.page()
    expect(committed, 'docs/reference/scenarios.md is out of date: npm run lab -- scenarios').toBe(current)
  })
})
