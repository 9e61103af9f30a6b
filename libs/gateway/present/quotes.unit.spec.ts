import { describe, expect, it } from 'vitest'
import type { Evidence, QuotedPlace, Released } from '@plumbline/contracts'
import type { Run } from '@plumbline/flow'
import {
  after,
  asking,
  admitted,
  checked,
  checking,
  nothing,
  parked,
  planned,
  toResearch,
  writing,
} from '@plumbline/flow/spec/run-fixtures.spec'
import { hydrate, streamEvent } from './answer'
import { reviewView } from './review-view'
import { runView, shownPassages } from './run-view'

const evidence = (id: string, more: Partial<Evidence> = {}): Evidence => ({
  id,
  documentId: `d-${id}`,
  collection: 'planets',
  title: 'Planets',
  text: `All of the passage ${id}.`,
  headingPath: ['Planets', 'Mass'],
  position: 0,
  scores: {},
  ...more,
})
const stored = [evidence('p1', { page: 3 }), evidence('p2', { headingPath: [] })]
const places: QuotedPlace[] = [
  { n: 1, passageId: 'p1', text: '| Planet | kg |\n|---|---|\n| Mars | 6.4e23 |', marks: [[24, 28]] },
  { n: 2, passageId: 'p2', text: 'Mars is light.', marks: [[0, 4]] },
]
const citations = places.map(({ n, passageId }) => ({ n, passageId }))
const released: Released = { kind: 'quoted', text: 'These places come closest.', citations, quotes: places }

const quotedDraft = { taskId: 'generate.1', kind: 'generate', result: { outcome: 'quoted', quotes: places } } as const
const quotedRun = (fields: Parameters<typeof writing>[0] = {}, degraded = false): Run =>
  after(writing(fields), { ...quotedDraft, result: { ...quotedDraft.result, degraded } }, checked(1, { claims: [] }))
    .run

describe('an answer as it is shown', () => {
  it('is written where the run does not say otherwise', () =>
    expect(hydrate({ text: 'Mars is light [1].', citations: [] }, [])).toMatchObject({
      kind: 'written',
      text: 'Mars is light [1].',
    }))

  it('shows only the quoted part and its source, not the whole passage', () =>
    expect(hydrate(released, stored).quotes).toEqual([
      {
        ...places[0],
        documentId: 'd-p1',
        collection: 'planets',
        title: 'Planets',
        headingPath: ['Planets', 'Mass'],
        page: 3,
      },
      { ...places[1], documentId: 'd-p2', collection: 'planets', title: 'Planets', headingPath: [] },
    ]))

  it('is complete as text: the sentence, then each quote below its place', () =>
    expect(hydrate(released, stored).text).toBe(
      [
        'These places come closest.',
        'Planets › Mass (page 3) [1]',
        '| Planet | kg |\n|---|---|\n| Mars | 6.4e23 |',
        'Planets [2]',
        'Mars is light.',
      ].join('\n\n'),
    ))

  it('shows the table rows that it was read from below the written text', () => {
    const shown = hydrate(
      { ...released, kind: 'written', text: 'Mars: 6.4e23 kg [1].', quotes: places.slice(0, 1) },
      stored,
    )
    expect(shown).toMatchObject({ kind: 'written', quotes: [{ n: 1, text: places[0]?.text }] })
    expect(shown.text).toMatch(/^Mars: 6\.4e23 kg \[1\]\.\n\nPlanets › Mass \(page 3\) \[1\]\n\n\| Planet/)
  })

  it('says in its text how many rows of a table are quoted, if not all', () => {
    const quotes = places.slice(0, 1).map((place) => ({ ...place, rows: { shown: 1, of: 8 } }))
    for (const kind of ['quoted', 'written'] as const) {
      const shown = hydrate({ ...released, kind, quotes }, stored)
      expect(shown.text).toContain('\n\nPlanets › Mass (page 3) [1] · 1 of 8 rows\n\n| Planet')
      expect(shown.quotes).toMatchObject([{ rows: { shown: 1, of: 8 } }])
    }
    const cut = quotes.map((quote) => ({ ...quote, rows: { shown: 1, of: 1, more: true } }))
    expect(hydrate({ ...released, quotes: cut }, stored).text).toContain(' · 1 of more than 1 row\n')
  })

  it('leaves out a quote whose passage is not kept any more', () =>
    expect(hydrate(released, stored.slice(1))).toMatchObject({ quotes: [{ n: 2 }] }))
})

describe('a run that quotes', () => {
  it('shows its quotes and its documents, and no grounding', () => {
    const run = quotedRun()
    expect(run).toMatchObject({ status: 'answered', reason: 'answered.quoted' })
    expect(shownPassages(run, 'asker')).toEqual(['p1', 'p2'])
    const view = runView(run, stored, 'asker')
    expect(view).toMatchObject({
      answer: { kind: 'quoted', quotes: [{ n: 1 }, { n: 2 }] },
      documentsUsed: [{ id: 'd-p1' }, { id: 'd-p2' }],
      queries: ['query 1.1'],
    })
    for (const audience of ['asker', 'desk'] as const) expect(runView(run, stored, audience).grounding).toBeUndefined()
    expect(view.degraded).toBeUndefined()
  })

  it('says that no model could be reached, where one should have written', () =>
    expect(runView(quotedRun({}, true), stored, 'asker').degraded).toEqual(['model']))

  it('that is held shows the desk its quotes and no score', () => {
    const given = writing({ sensitiveSources: 3 })
    const steps = given.run.steps.map((step) => ({
      ...step,
      evidence: step.evidence.map((row) => ({ ...row, grade: row.grade && { ...row.grade, sensitive: true } })),
    }))
    const run = after({ ...given, run: { ...given.run, steps } }, quotedDraft, checked(1, { claims: [] })).run
    expect(run.reason).toBe('parked.sensitive')
    expect(runView(run, stored, 'asker').answer).toBeUndefined()
    const view = reviewView({ run, evidence: stored, trace: [], lease: null })
    expect(view).toMatchObject({ score: null, draft: { quotes: [{ n: 1, page: 3 }, { n: 2 }] } })
    expect(view?.draft.text).toMatch(/^Planets › Mass \(page 3\) \[1\]/)
  })
})

describe('a written answer with rows of a table', () => {
  const rows = places.slice(0, 1)
  const text = 'Mars: 6.4e23 kg [1].'
  const drafted = {
    taskId: 'generate.1',
    kind: 'generate',
    result: { outcome: 'drafted', text, citations: citations.slice(0, 1), quotes: rows },
  } as const

  it('shows them below its text, with its grounding', () => {
    const view = runView(after(writing(), drafted, checked(1)).run, stored, 'asker')
    expect(view).toMatchObject({ answer: { kind: 'written', quotes: [{ n: 1, page: 3 }] }, grounding: { score: 1 } })
    expect(view.answer?.text.startsWith(`${text}\n\nPlanets › Mass`)).toBe(true)
  })

  it('has its grounding score even if the check removed sentences that state nothing', () => {
    const run = after(writing(), drafted, checked(1, { text: 'Mars: 6.4e23 [1].' })).run
    expect(run.answer?.text).toBe('Mars: 6.4e23 [1].')
    expect(runView(run, stored, 'asker').grounding?.score).toBe(1)
  })

  it('shows its text and the table rows to the desk separately', () => {
    const unsupported = { text, kind: 'number', verdict: 'unsupported', reason: '', passageId: null } as const
    const { run } = after(
      writing({ maxRegenerations: 0, maxAugments: 0 }),
      drafted,
      checked(1, { claims: [unsupported] }),
    )
    expect(reviewView({ run, evidence: stored, trace: [], lease: null })).toMatchObject({
      score: 0,
      draft: { text, quotes: [{ n: 1, page: 3 }] },
    })
  })
})

describe('queries and documents of a run', () => {
  const absent = checked(1, { parts: [{ what: 'How heavy?', outcome: 'not-in-documents' }] })

  it('are shown if the documents do not contain the answer: the queries and the nearest passages', () => {
    const { run, events } = after(checking(), absent)
    expect(run.reason).toBe('unanswered.not-in-documents')
    expect(shownPassages(run, 'asker')).toEqual(['p1'])
    const nearest = [{ n: 1, passageId: 'p1', title: 'Planets', text: 'All of the passage p1.' }]
    expect(runView(run, stored, 'asker')).toMatchObject({ nearest, queries: ['query 1.1'] })
    expect(streamEvent(events.at(-1)!, stored, 'asker')).toMatchObject({ type: 'ended', nearest })
  })

  it('are shown for a search that found nothing', () => {
    const { run } = after(
      asking({ maxRewrites: 0, maxWebSearches: 0 }),
      admitted,
      toResearch,
      planned('How heavy is Mars?'),
      nothing('1.1'),
    )
    expect(runView(run, [], 'asker')).toMatchObject({ status: 'unanswered', queries: ['query 1.1'] })
  })

  it('are hidden while a draft is held, and after a draft was withheld', () => {
    const held = parked().run
    expect(runView(held, stored, 'asker')).toMatchObject({ status: 'parked', queries: undefined, nearest: undefined })
    expect(runView(held, stored, 'desk').queries).toEqual(['query 1.1'])
    const back = after(
      checking({ maxRegenerations: 0, maxAugments: 0, whenSpent: 'fallback' }),
      checked(1, {
        claims: [{ text: 'It is light.', kind: 'fact', verdict: 'unsupported', reason: '', passageId: null }],
      }),
    ).run
    expect(runView(back, stored, 'asker')).toMatchObject({
      reason: 'unanswered.ungrounded',
      queries: undefined,
      nearest: undefined,
    })
  })

  it('is shown with the question as it was understood', () =>
    expect(runView({ ...parked().run, standalone: 'How heavy is Mars?' }, [], 'asker').standalone).toBe(
      'How heavy is Mars?',
    ))
})
