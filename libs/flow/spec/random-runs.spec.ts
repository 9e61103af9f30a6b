import {
  type AnswerPart,
  type Checked,
  type Claim,
  type Decision,
  type Grade,
  OverdueAction,
  type Usage,
} from '@plumbline/contracts'
import fc from 'fast-check'
import { z } from 'zod'
import type { ShowPart } from '../machine/show'
import type { StartAsk } from '../machine/start'
import { RuleReason } from '../schema/hold'
import type { Run } from '../schema/run'
import type { Report, Task } from '../schema/task'
import { Policy } from '../policy/policy'
import { standard } from '../policy/standard'
import { costing, passage } from './run-fixtures.spec'

/** All values of the policy fields that are enums, taken from the schema so that new fields are included. */
const words = Object.fromEntries(
  Object.entries(Policy.shape).flatMap(([field, schema]) => {
    return schema instanceof z.ZodEnum ? [[field, fc.constantFrom(...schema.options)]] : []
  }),
)

export const anyPolicy: fc.Arbitrary<Policy> = fc
  .record({
    ...words,
    maxSteps: fc.integer({ min: 1, max: 5 }),
    minRelevant: fc.integer({ min: 0, max: 2 }),
    parkBelow: fc.constantFrom(0, 0.5, 0.8, 1),
    sensitiveSources: fc.constantFrom(0, 2, 3),
    minUsefulness: fc.integer({ min: 1, max: 5 }),
    maxRewrites: fc.integer({ min: 0, max: 3 }),
    maxWebSearches: fc.integer({ min: 0, max: 2 }),
    maxRegenerations: fc.integer({ min: 0, max: 2 }),
    maxAugments: fc.integer({ min: 0, max: 2 }),
    maxShared: fc.integer({ min: 0, max: 5 }),
    deadlineMs: fc.constantFrom(4_000, 20_000, 600_000),
    maxMoves: fc.constantFrom(1, 4, 6, 8, 10, 14, 20, 40),
    maxTokens: fc.constantFrom(0, 200, 1_000_000),
    maxCents: fc.constantFrom(0, 1, 1_000),
  })
  .map((fields) => ({ ...standard, ...fields }) as Policy)

/** Returns a number from 0 up to, but not including, `below`. */
export type Pick = (below: number) => number

/** The random number generator mulberry32. The same seed gives the same numbers. */
export const picks = (seed: number): Pick => {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below) | 0
  }
}

/** Part of every text that an asker must not see before release. */
export const hidden = 'HELD-BACK'

const oneOf = <T>(pick: Pick, ...values: [T, ...T[]]): T => values[pick(values.length)] as T
export const some = <T>(pick: Pick, most: number, make: (index: number) => T): T[] =>
  Array.from({ length: pick(most + 1) }, (_, index) => make(index))

const anyGrade = (pick: Pick): Grade => ({
  relevant: pick(3) > 0,
  level: oneOf(pick, 'high', 'medium', 'low'),
  confidence: 0.5,
  reason: hidden,
  ...(!pick(6) && { sensitive: true }),
  ...(!pick(4) && { outdated: true }),
  ...(!pick(4) && { authority: 'low' as const }),
})
const anyClaim = (pick: Pick): Claim => ({
  text: `${hidden} claim ${pick(3)}`,
  kind: oneOf(pick, 'fact', 'number', 'order', 'cause', 'inference'),
  verdict: oneOf(pick, 'supported', 'supported', 'supported', 'supported', 'unsupported', 'contradicted'),
  reason: hidden,
  passageId: oneOf(pick, null, `${hidden}-${pick(6)}`),
  ...(!pick(8) && { conflictsWith: `${hidden}-${pick(6)}` }),
})

/** Returns a random result of a check. Some results include a shortened text that replaces the draft. */
const anyCheck = (pick: Pick, parts: AnswerPart[]): z.infer<typeof Checked> => ({
  ...(!pick(3) && { text: `${hidden} shorter` }),
  claims: some(pick, 4, () => anyClaim(pick)),
  parts,
  support: 'full',
  ...(pick(5) && { usefulness: 1 + pick(5) }),
  confidence: 0.5,
  tooBroad: !pick(6),
})

const knownBefore = (pick: Pick): object => ({
  outcome: 'known',
  ...(!pick(4) && { kept: true }),
  logic: 'Logic.',
  from: { runId: 'r1', at: '2027-01-15T08:00:00.000Z' },
  text: `${hidden} answer`,
  citations: [{ n: 1, passageId: `${hidden}-1` }],
  passages: [passage(`${hidden}-1`)],
  check: anyCheck(
    pick,
    some(pick, 2, () => ({
      what: 'else',
      outcome: oneOf(pick, 'answered', 'answered', 'not-in-documents', 'missed'),
    })),
  ),
})

const anyQuotes = (pick: Pick): object => {
  const quote = (n: number) => ({
    n: n + 1,
    passageId: `${hidden}-${pick(6)}`,
    text: `${hidden} quote`,
    marks: [[0, 3]],
  })
  return {
    outcome: 'quoted',
    quotes: [quote(0), ...some(pick, 2, (n) => quote(n + 1))],
    ...(!pick(3) && { degraded: true }),
  }
}

export const anyDecision = (taskId: string, pick: Pick): Decision => {
  const common = { taskId, decisionId: `d${pick(5)}`, ...(pick(2) && { note: 'Because.' }) }
  return oneOf<Decision>(
    pick,
    { ...common, action: 'approve' },
    { ...common, action: 'approve' },
    { ...common, action: 'edit', text: `${hidden} edited ${pick(2)}`, citations: [] },
    { ...common, action: 'retry' },
    { ...common, action: 'reject' },
  )
}

const sentences = ['Mars is red [1].', 'It is cold [1].', 'It has two moons [2].']
/** Returns a longer checked beginning of the draft that a task is writing, as the generator would release it. */
export const anyPart = (run: Run, taskId: string, pick: Pick): ShowPart => {
  const before = run.shown?.claims.length ?? 0
  const count = Math.min(sentences.length, before + 1 + pick(2))
  const shown = sentences.slice(0, count)
  return {
    taskId,
    from: run.shown?.text.length ?? 0,
    text: shown.join(' '),
    citations: [{ n: 1, passageId: 'released-1' }],
    claims: shown.map((text) => ({ text, kind: 'fact', verdict: 'supported', reason: 'r', passageId: 'released-1' })),
    numbers: ['released-1'],
    checkKey: 'key',
    at: run.movedAt ?? run.createdAt,
  }
}

/** Returns the beginning of a draft: the text that was already released, or text that a check may release later. */
const begunBy = ({ shown }: Run, pick: Pick): string => {
  if (shown) return `${shown.text}\n\n`
  return pick(2) ? '' : `${sentences.join(' ')}\n\n`
}

/** Returns the claims of the released text, with the verdicts of a later check. Most verdicts stay the same. */
const claimsAgain = ({ shown }: Run, pick: Pick): Claim[] =>
  (shown?.claims ?? []).map((claim) => (pick(12) ? claim : { ...claim, verdict: 'contradicted' }))

const resultFor = (task: Task, run: Run, pick: Pick): unknown => {
  const logic = 'Logic.'
  switch (task.kind) {
    case 'admit':
      return pick(20) ? { outcome: 'admitted' } : { outcome: 'refused', reason: 'Full.' }
    case 'route':
      return oneOf<object>(
        pick,
        { outcome: 'research', logic, collections: ['planets'], question: 'How heavy is the red planet?' },
        { outcome: 'research', logic, collections: [], queries: [`${hidden} query`] },
        { outcome: 'summarise', logic, collections: [], title: 'Mars' },
        { outcome: 'web', logic, queries: [`${hidden} query`] },
        { outcome: 'reply', logic, summary: `${hidden} thread` },
        { outcome: 'reply', logic, knowledge: true },
        { outcome: 'clarify', logic },
        { outcome: 'decline', logic },
        { outcome: 'continue', logic },
        { outcome: 'research', logic, collections: [], simple: pick(2) > 0 },
        knownBefore(pick),
      )
    case 'plan': {
      const waitsFor = () => oneOf(pick, null, null, pick(5) + 1)
      return {
        outcome: 'planned',
        logic,
        steps: [
          { question: 's', waitsFor: waitsFor() },
          ...some(pick, 4, (n) => ({ question: `s${n}`, waitsFor: waitsFor(), queries: ['sq'] })),
        ],
      }
    }
    case 'research': {
      const told = {
        source: task.source,
        queries: [`${hidden} query`],
        ...(pick(2) && { resolved: hidden, strategy: 'add-context' }),
      }
      const passages = some(pick, 3, () => ({ ...passage(`${hidden}-${pick(6)}`), text: hidden, title: hidden }))
      return passages.length > 0 ? { outcome: 'found', ...told, passages } : { outcome: 'nothing', ...told }
    }
    case 'grade-evidence':
      return {
        outcome: 'graded',
        overall: oneOf(pick, 'correct', 'ambiguous', 'incorrect'),
        grades: task.passageIds.map((passageId) => ({ passageId, ...anyGrade(pick) })),
      }
    case 'generate':
      if (!pick(12)) return { outcome: 'refused', reason: hidden }
      if (!pick(6)) return anyQuotes(pick)
      return {
        outcome: 'drafted',
        text: pick(30) ? `${begunBy(run, pick)}${hidden} draft` : `${hidden} draft`,
        citations: some(pick, 2, (n) => ({ n: n + 1, passageId: `${hidden}-${pick(6)}` })),
      }
    case 'reply':
      return oneOf<object>(
        pick,
        { outcome: 'replied', text: 'Hello.' },
        { outcome: 'replied', text: `${hidden} reply`, written: true },
        { outcome: 'replied', text: `${hidden} reply, see evil.example`, written: true },
        { outcome: 'refused', reason: hidden },
      )
    case 'grade-answer': {
      const outcome = () => oneOf<AnswerPart['outcome']>(pick, 'answered', 'answered', 'not-in-documents', 'missed')
      const parts = run.steps.map(({ question }) => ({ what: oneOf(pick, question, 'else'), outcome: outcome() }))
      const check = anyCheck(pick, parts)
      const { shown } = run
      const text = shown && check.text && pick(30) ? `${shown.text}\n\n${check.text}` : check.text
      return {
        outcome: 'graded',
        ...check,
        ...(text && { text }),
        claims: [...claimsAgain(run, pick), ...check.claims],
        ...(!pick(8) && { degraded: true }),
      }
    }
    case 'review': {
      const decided = { by: 'rita', decisionId: `d${pick(1_000)}` }
      return oneOf<object>(
        pick,
        { outcome: 'approved', ...decided },
        { outcome: 'edited', text: `${hidden} edit`, ...decided },
        { outcome: 'retry', ...decided },
        { outcome: 'research', guidance: hidden, ...decided },
        { outcome: 'rejected', ...decided },
      )
    }
  }
}

const anyUsage = (pick: Pick): Usage => ({ calls: 1, tokensIn: pick(40), tokensOut: pick(20), cents: pick(100) / 700 })

/** Returns any rules a tenant may have. An undecided answer is released only if the operator allows it. */
export const anyRules = (pick: Pick, mayRelease: boolean): Partial<StartAsk> => {
  const holds: Run['hold'][] = [
    ...RuleReason.options.map((reason) => ({ reason })),
    { collections: ['planets'] },
    { words: ['mars'] },
  ]
  const ways = OverdueAction.options.filter((then) => mayRelease || then !== 'caveat')
  const then = ways[pick(ways.length)]!
  return {
    ...(pick(2) && { hold: holds[pick(holds.length)]! }),
    ...(pick(2) && { deadline: { waitMs: 1 + pick(5_000), then, escalatedMs: 1 + pick(5_000) } }),
  }
}

/** Returns any report a task could send. Its time may be earlier than the time of the run's last report. */
export const anyReport = (task: Task, run: Run, pick: Pick): Report =>
  ({
    taskId: task.id,
    kind: task.kind,
    at: (run.movedAt ?? run.createdAt) + pick(2_000) - 500,
    result: resultFor(task, run, pick),
    ...(pick(4) && costing(anyUsage(pick))),
  }) as Report
