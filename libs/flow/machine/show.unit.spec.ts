import type { EndStatus } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy/policy'
import type { EvidenceRow, Grading, Run } from '../schema/run'
import {
  admitted,
  after,
  asking,
  bad,
  checked,
  claim,
  decided,
  drafted,
  found,
  good,
  graded,
  movedBy,
  openIds,
  parked,
  planned,
  quoted,
  reportOf,
  type RunState,
  t0,
  toResearch,
  ungrounded,
  writing,
} from '../spec/run-fixtures.spec'
import { advance, end } from './advance'
import { doubt, isDoubted, keepsShown, mayShow, mayShowOnceRouted, show, type ShowPart } from './show'
import { moving } from './move'

const mars = 'Mars weighs 6.4e23 kg [1].'
const day = ' A day has 24.6 hours [1].'

const part = (fields: Partial<ShowPart> = {}): ShowPart => ({
  taskId: 'generate.1',
  from: 0,
  at: t0 + 60_000,
  text: mars,
  citations: [{ n: 1, passageId: 'p1' }],
  claims: [claim('supported', { text: 'Mars weighs 6.4e23 kg.' })],
  numbers: ['p1'],
  checkKey: 'a key',
  ...fields,
})
const next = (fields: Partial<ShowPart> = {}): ShowPart =>
  part({
    from: mars.length,
    text: mars + day,
    claims: [...part().claims, claim('supported', { text: 'A day has 24.6 hours.' })],
    ...fields,
  })

const withPolicy = (run: Run, fields: Partial<Policy>): Run => ({ ...run, policy: { ...run.policy, ...fields } })
const withRows = (run: Run, change: (row: EvidenceRow) => EvidenceRow): Run => ({
  ...run,
  steps: run.steps.map((step) => ({ ...step, evidence: step.evidence.map(change) })),
})
const { run: base } = writing()
/** The base run after the release of its first sentence. */
const begun = (): RunState => ({ ...movedBy(show(base, part())), evidence: [] })

const ended: EndStatus[] = [
  'answered',
  'needs_input',
  'declined',
  'unanswered',
  'rejected',
  'failed',
  'cancelled',
  'expired',
]

describe('whether a part of the first draft may be released', () => {
  it('is true for a routed run whose release depends only on the check', () => {
    expect(mayShow(base)).toBe(true)
    expect(mayShow({ ...base, class: 'interactive' })).toBe(true)
    expect(mayShow(withPolicy(base, { whenSpent: 'fallback' }))).toBe(true)
    for (const to of ['research', 'web', 'continue'] as const)
      expect([to, mayShow({ ...base, route: { to, logic: '', collections: ['planets'] } })]).toEqual([to, true])
  })

  it.each<Partial<Policy>>([
    { releaseBySentence: 'off' },
    { releaseBySentence: undefined },
    { checkAnswer: 'off' },
    { parkBelow: 0.9 },
    { drafts: 'per-passage' },
    { refineEvidence: 'on' },
    { streamDrafts: 'on' },
    { whenTooBroad: 'ask' },
    { whenParkedTooLong: 'caveat' },
    { whenSpent: 'caveat' },
    { whenSpent: 'mark' },
  ])('is false under a policy with %o', (fields) => {
    expect(mayShow(withPolicy(base, fields))).toBe(false)
  })

  it('is false before the run has a route, although nothing else forbids it', () => {
    const { route: _, ...unrouted } = base
    expect(mayShow(unrouted)).toBe(false)
    expect(mayShowOnceRouted(unrouted)).toBe(true)
  })

  it('is false if the asker wants the whole answer at once', () => {
    expect(mayShow(writing({}, { releaseBySentence: 'off' }).run)).toBe(false)
    expect(mayShow(writing({}, { deadlineMs: 60_000 }).run)).toBe(true)
  })

  it.each(['queued', 'parked', ...ended] as const)('is false for a run that is %s', (status) => {
    expect(mayShow({ ...base, status })).toBe(false)
  })

  it('is false without a route, and for a route that does not research', () => {
    expect(mayShow({ ...base, route: undefined })).toBe(false)
    for (const to of ['summarise', 'reply', 'clarify', 'decline'] as const)
      expect([to, mayShow({ ...base, route: { to, logic: '', collections: ['planets'] } })]).toEqual([to, false])
  })

  it('is false for a batch', () => {
    expect(mayShow({ ...base, class: 'batch' })).toBe(false)
  })

  it('is true while the first draft is checked, and false once it is graded', () => {
    expect(mayShow(after(writing(), drafted(1)).run)).toBe(true)
    expect(mayShow(after(writing(), drafted(1), ungrounded(1)).run)).toBe(false)
    expect(mayShow(after(writing(), drafted(1), ungrounded(1), drafted(2)).run)).toBe(false)
  })

  it('is false for a draft of quotes, or of a reviewer', () => {
    const { run } = after(writing(), drafted(1))
    const draft = { draft: 1, text: mars, citations: [] }
    expect(mayShow({ ...run, draft })).toBe(true)
    expect(mayShow({ ...run, draft: { ...draft, quotes: [] } })).toBe(false)
    expect(mayShow({ ...run, draft: { ...draft, editedBy: 'rita' } })).toBe(false)
  })

  it('is false after a review, also if no draft is left', () => {
    expect(mayShow(after(parked(), decided(1, { outcome: 'retry' })).run)).toBe(false)
    expect(mayShow({ ...base, closed: { ...base.closed, 'review.0': 'retry' } })).toBe(false)
  })

  it.each(['parked.tenant', 'parked.sample', 'parked.collection', 'parked.words'] as const)(
    'is false if the rule %s holds every answer',
    (reason) => {
      expect(mayShow({ ...base, hold: { reason } })).toBe(false)
    },
  )

  it('is false if the question has words of a rule', () => {
    expect(mayShow({ ...base, hold: { words: ['mars'] } })).toBe(false)
    expect(mayShow({ ...base, hold: { words: ['venus'] } })).toBe(true)
    expect(mayShow({ ...base, hold: { words: [] } })).toBe(true)
    expect(mayShow({ ...base, standalone: 'And how heavy is Venus?', hold: { words: ['venus'] } })).toBe(false)
  })

  it('is false if a rule names the collection of any passage that was found', () => {
    const rows = withRows(base, (row) => ({ ...row, collection: 'planets' }))
    expect(mayShow({ ...rows, hold: { collections: ['planets'] } })).toBe(false)
    expect(mayShow({ ...rows, hold: { collections: ['memory'] } })).toBe(true)
    const two = after(asking(), admitted, toResearch, planned('How heavy is Mars?'), found('1.1', ['p1', 'p2'])).run
    const mixed = withRows(two, (row) => ({ ...row, collection: row.id === 'p2' ? 'memory' : 'planets' }))
    expect(mayShow({ ...mixed, hold: { collections: ['memory'] } })).toBe(false)
  })

  it('counts all searched collections if the collection of a passage is unknown', () => {
    expect(mayShow({ ...base, hold: { collections: ['planets'] } })).toBe(false)
    expect(mayShow({ ...base, hold: { collections: ['memory'] } })).toBe(true)
  })

  it('is false if a passage is sensitive, by its grade or by a check', () => {
    const grade = { ...good, sensitive: true }
    expect(mayShow(withRows(base, (row) => ({ ...row, grade })))).toBe(false)
    expect(mayShow(withRows(base, (row) => ({ ...row, mark: { sensitive: true } })))).toBe(false)
    expect(mayShow(withRows(base, (row) => ({ ...row, mark: { outdated: true } })))).toBe(true)
  })

  it('is false if a passage failed its grading', () => {
    const rows = (grades: Parameters<typeof graded>[1]): RunState =>
      after(
        asking(),
        admitted,
        toResearch,
        planned('How heavy is Mars?'),
        found('1.1', Object.keys(grades)),
        graded('1.1', grades),
      )
    expect(mayShow(rows({ p1: good, p2: good }).run)).toBe(true)
    expect(mayShow(rows({ p1: good, p2: bad }).run)).toBe(false)
  })
})

describe('the release of a part', () => {
  it('stores the text and tells the asker, while the task stays open', () => {
    const { run, events } = movedBy(show(base, part()))
    const { taskId: _, from: _from, at: _at, ...shown } = part()
    expect(run.shown).toEqual(shown)
    expect(run.open).toEqual(base.open)
    expect(run.closed).toEqual(base.closed)
    const told = { type: 'checked', audience: 'asker', task: 'generate.1', draft: 1, from: 0, text: mars }
    expect(events).toMatchObject([{ ...told, citations: [{ n: 1, passageId: 'p1' }] }])
  })

  it('continues the text at its end', () => {
    const { run, events } = movedBy(show(begun().run, next()))
    expect(run.shown).toMatchObject({ text: mars + day, claims: [{}, { text: 'A day has 24.6 hours.' }] })
    expect(events).toMatchObject([{ type: 'checked', from: mars.length, text: day }])
  })

  const stale = { kind: 'stale' }

  it('is stale at another offset than the end of the text', () => {
    expect(show(base, part({ from: 1 }))).toEqual(stale)
    for (const from of [0, mars.length - 1, mars.length + 1]) expect(show(begun().run, next({ from }))).toEqual(stale)
  })

  it('is stale if its text does not continue the text, or adds nothing', () => {
    expect(show(begun().run, next({ text: `Mars weighs nothing [1].${day}` }))).toEqual(stale)
    expect(show(begun().run, next({ text: mars }))).toEqual(stale)
    expect(show(begun().run, next({ text: mars.slice(0, -1) }))).toEqual(stale)
    expect(show(base, part({ text: '' }))).toEqual(stale)
  })

  it('is stale if it was checked with other inputs', () => {
    expect(show(begun().run, next({ checkKey: 'another key' }))).toEqual(stale)
  })

  it.each([
    claim('unsupported'),
    claim('contradicted'),
    claim('supported', { conflictsWith: 'p1' }),
    claim('supported', { conflictsWith: 'p2' }),
  ])('is stale with the claim %o', (own) => {
    expect(show(base, part({ claims: [own] }))).toEqual(stale)
    expect(show(base, part({ claims: [claim('supported'), own] }))).toEqual(stale)
  })

  it('is stale for a task that is not open, or does not write', () => {
    expect(show(base, part({ taskId: 'generate.2' }))).toEqual(stale)
    expect(show(base, part({ taskId: 'plan' }))).toEqual(stale)
    const checking = after(writing(), drafted(1)).run
    expect(openIds({ run: checking, events: [], evidence: [] })).toEqual(['grade-answer.1'])
    for (const taskId of ['generate.1', 'grade-answer.1'])
      expect(show({ ...checking, draft: undefined }, part({ taskId }))).toEqual(stale)
  })

  it('is accepted from the check of the first draft, only for a beginning of that draft', () => {
    const { run } = after(writing(), drafted(1))
    const { text = '' } = run.draft ?? {}
    const checking = (fields: Partial<ShowPart> = {}) => show(run, part({ taskId: 'grade-answer.1', text, ...fields }))
    expect(checking()).toMatchObject({ kind: 'moved', run: { shown: { text } } })
    expect(checking({ text: `${text} More.` })).toEqual({ kind: 'stale' })
    expect(checking({ taskId: 'generate.1' })).toEqual({ kind: 'stale' })
  })

  it('is stale if the run may not release parts', () => {
    expect(show({ ...base, class: 'batch' }, part())).toEqual(stale)
    expect(show(after(writing(), drafted(1), ungrounded(1)).run, part({ taskId: 'generate.2' }))).toEqual(stale)
    const cancelled = movedBy(end(base, { status: 'cancelled', by: 'someone', at: t0 + 60_000 })).run
    expect(show(cancelled, part())).toEqual(stale)
  })
})

describe('the end of a run whose asker has read a part', () => {
  const noRetries = { maxRegenerations: 0, maxAugments: 0 }
  const begunWith = (fields: Partial<Policy> = noRetries): RunState => ({
    ...movedBy(show(writing(fields).run, part())),
    evidence: [],
  })
  const types = ({ events }: RunState) => events.map(({ type }) => type)
  const whole = [claim('supported', { text: 'Mars weighs 6.4e23 kg.' })]

  it('releases an answer that begins with the part', () => {
    const state = after(begunWith(), drafted(1, mars + day), checked(1, { claims: whole }))
    expect(state.run).toMatchObject({ status: 'answered', reason: 'answered.checked', answer: { text: mars + day } })
    expect(types(state)).not.toContain('corrected')
  })

  it('never takes a draft that does not begin with the part', () => {
    const state = after(begunWith(), drafted(1, 'Mars is light [1].'))
    expect(state.run).toMatchObject({ status: 'failed', reason: 'failed.not-written', shown: { text: mars } })
    expect(state.run.draft).toBeUndefined()
    expect(after(begunWith(), quoted(1, ['p1'])).run.answer).toBeUndefined()
  })

  it('is held if quotes would replace the part', () => {
    const unchecked = after(begunWith(), quoted(1, ['p1']), checked(1))
    expect(unchecked.run).toMatchObject({ status: 'parked', reason: 'parked.other-text', shown: { text: mars } })
  })

  it('is held if the text of the check would replace the part', () => {
    const state = after(begunWith(), drafted(1, mars + day), checked(1, { claims: whole, text: 'Mars [1].' }))
    expect(state.run).toMatchObject({ status: 'parked', reason: 'parked.other-text' })
    expect(state.run.answer).toBeUndefined()
  })

  it('is held and marked as doubted once a check no longer supports the part', () => {
    const contradicted = [claim('contradicted', { text: 'Mars weighs 6.4e23 kg.' })]
    const state = after(begunWith({}), drafted(1, mars + day), checked(1, { claims: contradicted }))
    expect(state.run).toMatchObject({ status: 'parked', reason: 'parked.doubted', shown: { doubted: true } })
    expect(types(state)).toEqual(expect.arrayContaining(['doubted', 'parked']))
    expect(types({ ...state, ...doubt(moving(state.run, t0, 'review.1')) })).not.toContain('doubted')
    expect(doubt(moving(base, t0, 'generate.1')).events).toEqual([])
  })

  it('keeps the part above a fixed text, and marks a text of a reviewer', () => {
    const fallen = after(
      begunWith({ ...noRetries, whenSpent: 'fallback' }),
      drafted(1, mars + day),
      ungrounded(1, ...whole, claim('unsupported')),
    )
    expect(fallen.run).toMatchObject({ status: 'unanswered', answer: { text: expect.stringMatching(/^Mars weighs/) } })
    const held = after(begunWith(), drafted(1, mars + day), ungrounded(1, ...whole, claim('unsupported')))
    const rejected = after(held, decided(1, { outcome: 'rejected' }))
    expect([rejected.run.status, types(rejected).slice(-2)]).toEqual(['rejected', ['withdrawn', 'ended']])
    const approved = after(held, decided(1, { outcome: 'approved' }))
    expect(types(approved)).not.toContain('corrected')
    const edit = decided(1, { outcome: 'edited', text: 'Mars is red [1].', citations: [{ n: 1, passageId: 'p1' }] })
    const corrected = after(held, edit, checked(2, { claims: [claim('supported')] }))
    expect(corrected.run.answer?.text).toBe('Mars is red [1].')
    expect(types(corrected).slice(-2)).toEqual(['corrected', 'ended'])
  })

  it('tells nobody of a part that was not shown', () => {
    const held = after(writing(noRetries), drafted(1), ungrounded(1))
    expect(types(after(held, decided(1, { outcome: 'rejected' })))).not.toContain('withdrawn')
  })

  it('accepts a later report of the task that released the part', () => {
    const { run } = begunWith()
    expect(advance(run, reportOf(run, drafted(1, mars + day))).kind).toBe('moved')
    expect(keepsShown(base, { text: 'Any text.' })).toBe(true)
    expect(isDoubted(base, { claims: [] } as unknown as Grading)).toBe(false)
  })
})
