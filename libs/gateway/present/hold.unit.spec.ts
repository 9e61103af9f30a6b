import { assert, integer, property, record } from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import type { Claim, Evidence, LedgerEvent } from '@plumbline/contracts'
import { advance, end, type Policy, type Run, type Task } from '@plumbline/flow'
import { asking, reportOf, type RunState } from '@plumbline/flow/spec/run-fixtures.spec'
import { eventPassages, releasedAnswer, streamEvent } from './answer'
import { responseTextOf } from './outcome'
import { runSummary, runView, shownPassages } from './run-view'

type ReportFields = Parameters<typeof reportOf>[1]
type Dice = (sides: number) => number

// Marks that no real text contains, to detect leaks.
const draftMark = (draft: number): string => `⟦draft-${draft}⟧`
const deskMark = '⟦desk⟧'
const queryMark = '⟦query⟧'
const passageMark = (id: string): string => `⟦passage-${id}⟧`

const dice = (seed: number): Dice => {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const evidence = (id: string): Evidence => ({
  id,
  documentId: `doc-${id}`,
  collection: 'c',
  title: `Title ${passageMark(id)}`,
  text: `Text ${passageMark(id)}`,
  headingPath: [passageMark(id)],
  position: 0,
  scores: { fused: 1 },
})
const claims = (draft: number, roll: Dice): Claim[] =>
  ['a', 'b'].map((name) => ({
    text: `${name} ${draftMark(draft)}`,
    kind: 'fact',
    verdict: roll(3) === 0 ? 'supported' : 'unsupported',
    reason: `${deskMark} ${draftMark(draft)}`,
    passageId: 'p0',
  }))

const draftOf = (run: Run): number => run.draft?.draft ?? 1
const by = (task: Task, roll: Dice) => ({ by: 'rita', decisionId: `${task.id}-${roll(1e6)}`, note: deskMark })

const said = (run: Run, task: Task, roll: Dice): ReportFields => {
  const about = <K extends Task['kind']>(kind: K, result: unknown) =>
    ({ taskId: task.id, kind, result }) as ReportFields
  switch (task.kind) {
    case 'admit':
      return about('admit', { outcome: 'admitted' })
    case 'route':
      return about(
        'route',
        roll(6) === 0 ? { outcome: 'web', logic: 'why' } : { outcome: 'research', logic: 'why', collections: ['c'] },
      )
    case 'plan':
      return about('plan', {
        outcome: 'planned',
        logic: 'why',
        steps: [
          { question: 'one?', waitsFor: null },
          { question: 'two?', waitsFor: roll(2) === 0 ? 1 : null },
        ],
      })
    case 'research': {
      const id = `p${roll(40)}`
      const queried = {
        source: task.source,
        queries: [`query ${queryMark}`],
        reason: deskMark,
        resolved: `two ${deskMark}?`,
      }
      return about(
        'research',
        roll(4) === 0 ? { outcome: 'nothing', ...queried } : { outcome: 'found', ...queried, passages: [evidence(id)] },
      )
    }
    case 'grade-evidence':
      return about('grade-evidence', {
        outcome: 'graded',
        overall: 'correct',
        grades: task.passageIds.map((passageId) => ({
          passageId,
          relevant: roll(3) > 0,
          level: 'high',
          confidence: 1,
          reason: deskMark,
        })),
      })
    case 'generate': {
      const cited = { n: 1, passageId: run.steps.flatMap((step) => step.evidence)[0]?.id ?? 'p0' }
      return about(
        'generate',
        roll(5) === 0
          ? {
              outcome: 'quoted',
              quotes: [{ ...cited, text: `Place ${passageMark(cited.passageId)}`, marks: [[0, 5]] }],
            }
          : { outcome: 'drafted', text: `Said ${draftMark(task.draft)} [1].`, citations: [cited] },
      )
    }
    case 'reply':
      return about('reply', { outcome: 'replied', text: 'Hello.' })
    case 'grade-answer':
      return about('grade-answer', {
        outcome: 'graded',
        claims: claims(task.draft, roll),
        parts: [{ what: 'one?', outcome: 'answered' }],
        support: 'partial',
        usefulness: 1 + roll(5),
        confidence: 1,
        tooBroad: roll(8) === 0,
      })
    case 'review':
      return about(
        'review',
        [
          { outcome: 'approved', ...by(task, roll) },
          { outcome: 'edited', ...by(task, roll), text: `Edited ${draftMark(draftOf(run) + 1)}` },
          { outcome: 'retry', ...by(task, roll), guidance: deskMark },
          { outcome: 'research', ...by(task, roll), guidance: deskMark },
          { outcome: 'rejected', ...by(task, roll) },
        ][roll(5)],
      )
  }
}

/** Returns everything an asker can read of a run at this point. */
const asked = (run: Run, events: LedgerEvent[], stored: Map<string, Evidence>): string => {
  const load = (ids: string[]): Evidence[] => ids.flatMap((id) => stored.get(id) ?? [])
  return JSON.stringify([
    runView(run, load(shownPassages(run, 'asker')), 'asker'),
    // Even with more passages than needed, the view of an asker must not show more.
    runView(run, [...stored.values()], 'asker'),
    runSummary(run),
    responseTextOf(run, runView(run, [...stored.values()], 'asker')),
    events.map((event) => streamEvent(event, load(eventPassages(event)), 'asker')),
  ])
}

const expectHeld = (run: Run, events: LedgerEvent[], stored: Map<string, Evidence>): void => {
  const shown = asked(run, events, stored)
  const answer = releasedAnswer(run)
  const released = (mark: string): boolean => answer?.text.includes(mark) === true
  for (const [, draft] of shown.matchAll(/⟦draft-(\d+)⟧/g)) expect(released(draftMark(Number(draft)))).toBe(true)
  for (const [, id] of shown.matchAll(/⟦passage-(\w+)⟧/g))
    expect([...(answer?.citations ?? []).map(({ passageId }) => passageId), ...(answer?.nearest ?? [])]).toContain(id)
  // If the draft is not released, its sources and its queries stay hidden too.
  const isDraft = answer?.kind === 'quoted' || /⟦draft-\d/.test(answer?.text ?? '')
  if (!answer || (run.draft && !isDraft)) expect(shown).not.toMatch(/⟦(?:passage-|query⟧)/)
  // Text from the desk appears only with the claims of a released draft.
  if (shown.includes(deskMark)) expect(answer?.text).toMatch(/⟦draft-\d+⟧/)
  expect(shown).not.toContain('guidance')
}

const walk = (
  policy: Partial<Policy>,
  seed: number,
  moves: number,
  cancelAt: number,
): { ends: string; parked: boolean } => {
  const roll = dice(seed)
  let given: RunState = asking(policy)
  const stored = new Map<string, Evidence>()
  let parked = false
  for (let n = 0; n < moves && given.run.open.length > 0; n += 1) {
    const task = given.run.open[roll(given.run.open.length)]!
    const at = given.run.createdAt + (n + 1) * 1_000
    const moved =
      n === cancelAt
        ? end(given.run, { status: roll(2) === 0 ? 'cancelled' : 'expired', by: 'rita', at })
        : advance(given.run, reportOf(given.run, said(given.run, task, roll), at))
    if (moved.kind === 'stale') continue
    moved.evidence.forEach((one) => stored.set(one.id, one))
    given = { run: moved.run, events: [], evidence: [] }
    parked ||= moved.run.status === 'parked'
    expectHeld(moved.run, moved.events, stored)
  }
  return { ends: given.run.status, parked }
}

const spent = ['park', 'caveat', 'fallback', 'mark'] as const
const ungrounded = ['regenerate', 'augment', 'regenerate-then-augment', 'decide'] as const

describe('the hold', () => {
  it('shows an asker nothing of drafts, claims or passages before release, whatever a run goes through', () => {
    const ways = record({
      seed: integer(),
      whenSpent: integer({ min: 0, max: 3 }),
      whenUngrounded: integer({ min: 0, max: 3 }),
      cancelAt: integer({ min: 3, max: 60 }),
    })
    const seen: Record<string, number> = {}
    let parked = 0
    assert(
      property(ways, ({ seed, whenSpent, whenUngrounded, cancelAt }) => {
        const walked = walk(
          { whenSpent: spent[whenSpent]!, whenUngrounded: ungrounded[whenUngrounded]!, whenTooBroad: 'ask' },
          seed,
          60,
          cancelAt,
        )
        seen[walked.ends] = (seen[walked.ends] ?? 0) + 1
        parked += walked.parked ? 1 : 0
      }),
      { numRuns: 600, seed: inject('seed') },
    )
    expect(parked).toBeGreaterThan(50)
    expect(Object.keys(seen)).toEqual(
      expect.arrayContaining(['answered', 'unanswered', 'rejected', 'cancelled', 'expired']),
    )
  })

  it('hides the claims of a draft that was not released, even if another text was released', () => {
    const given = asking()
    const run: Run = {
      ...given.run,
      status: 'unanswered',
      open: [],
      draft: { draft: 2, text: 'A held draft.', citations: [] },
      grading: {
        draft: 2,
        score: 0,
        claims: claims(2, dice(1)),
        parts: [],
        support: 'none',
        usefulness: 1,
        confidence: 1,
        tooBroad: false,
      },
      answer: { text: 'No answer that stands was found.', citations: [] },
    }
    expect(runView(run, [], 'asker').grounding).toBeUndefined()
    expect(runView(run, [], 'desk').grounding?.score).toBe(0)
  })

  it('shows an asker no answer of a rejected, failed, cancelled or expired run', () => {
    const given = asking()
    const answer = { text: 'A held draft.', citations: [] }
    for (const status of ['rejected', 'failed', 'cancelled', 'expired'] as const) {
      expect(runView({ ...given.run, status, answer }, [], 'asker').answer).toBeUndefined()
      expect(
        streamEvent(
          { type: 'ended', audience: 'asker', at: 0, status, reason: 'rejected.decided', answer },
          [],
          'asker',
        ),
      ).not.toHaveProperty('answer')
    }
  })
})
