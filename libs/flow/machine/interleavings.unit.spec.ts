import { isDeepStrictEqual } from 'node:util'
import { LedgerEvent, reasons } from '@plumbline/contracts'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { Run } from '../schema/run'
import type { Report } from '../schema/task'
import { heldPolicy, type Policy } from '../policy/policy'
import { policies } from '../policy/presets'
import { holds, keepsText, releasesOnlyGrounded, must } from '../spec/invariants.spec'
import {
  anyDecision,
  anyPart,
  anyPolicy,
  anyReport,
  anyRules,
  hidden,
  type Pick,
  picks,
  some,
} from '../spec/random-runs.spec'
import { asked } from '../spec/run-fixtures.spec'
import { abandon, advance, end } from './advance'
import { startAhead } from './ahead'
import type { Moved, Stale } from './move'
import { reviewTask } from './review'
import { acceptDecision, addNote, assignRun, settleDecision, undoDecision } from './review-decision'
import { isSamePerson } from './four-eyes'
import { mayShow, show } from './show'
import { start } from './start'

type RunMove = (run: Run) => Moved | Stale

/** Returns a random report of one open task, and a move that applies this report or abandons the task. */
const anyTurn = (run: Run, index: number, pick: Pick): { report: Report; turn: RunMove } => {
  const report = anyReport(run.open[index]!, run, pick)
  const givesUp = pick(30) === 0
  return {
    report,
    turn: (from) => (givesUp ? abandon(from, report.taskId, 'It failed too often.', report.at) : advance(from, report)),
  }
}

const inTurn = (run: Run, turns: RunMove[]): Moved | Stale =>
  turns.reduce<Moved | Stale>((before, turn) => (before.kind === 'moved' ? turn(before.run) : before), {
    kind: 'moved',
    run,
    events: [],
    evidence: [],
  })

/** Asserts that the reports of two open tasks lead to the same run in either order. */
const commutes = (run: Run, pick: Pick): void => {
  const first = pick(run.open.length)
  const second = (first + 1 + pick(run.open.length - 1)) % run.open.length
  const turns = [first, second].map((index) => anyTurn(run, index, pick).turn)
  const [onlyMethod, otherWay] = [inTurn(run, turns), inTurn(run, turns.toReversed())]
  must(onlyMethod.kind === 'moved' && otherWay.kind === 'moved', 'A sibling made the other’s report stale.')
  if (onlyMethod.kind === 'moved' && otherWay.kind === 'moved')
    must(isDeepStrictEqual(onlyMethod.run, otherWay.run), 'Siblings do not commute.', [onlyMethod.run, otherWay.run])
}

/** Sometimes cancels or expires the run. Parked runs need a higher chance, because a decision soon ends their wait. */
const anyEnd = (run: Run, pick: Pick): Moved | Stale | null => {
  if (pick(run.status === 'parked' ? 10 : 150)) return null
  return end(run, {
    status: (['cancelled', 'expired', 'overspent'] as const)[pick(3)]!,
    by: 'someone',
    at: (run.movedAt ?? 0) + pick(2_000),
  })
}

const isStoredWhole = ({ run, events }: Moved): void => {
  must(isDeepStrictEqual(Run.parse(run), run), 'The schema does not hold the run.', run)
  events.forEach((event) =>
    must(isDeepStrictEqual(LedgerEvent.parse(event), event), 'The schema does not hold the event.', event),
  )
}

const isLate = (run: Run, report: Report | undefined): void => {
  if (report && !run.open.some(({ id }) => id === report.taskId))
    must(advance(run, report).kind === 'stale', 'A late report moved the run.', report)
}

const seen = new Set<string>()

type Holds = (run: Run) => void

/** Releases the checked beginning of a draft. Asserts that the same part, or an outdated one, is then not accepted. */
const showsPart = (run: Run, pick: Pick): Run => {
  const task = run.open.find(({ kind }) => kind === 'generate' || kind === 'grade-answer')
  if (!task) return run
  const part = anyPart(run, task.id, pick)
  const moved = show(run, part)
  must(mayShow(run) || moved.kind === 'stale', 'A part was released although something may hold the run.')
  if (moved.kind === 'stale') return run
  holds(moved)
  keepsText(run, moved)
  must(show(moved.run, part).kind === 'stale', 'The same part was released twice.')
  must(show(moved.run, { ...part, from: 1 }).kind === 'stale', 'A writer that missed a part released another.')
  return moved.run
}

/** Starts a search and a draft before the router reports. Asserts that this is possible only once. */
const startsAhead = (run: Run): Run => {
  const task = run.open.find(({ kind }) => kind === 'route')
  if (!task) return run
  const early = { taskId: task.id, at: run.movedAt ?? run.createdAt }
  const moved = startAhead(run, early)
  if (moved.kind === 'stale') return run
  holds(moved)
  must(startAhead(moved.run, early).kind === 'stale', 'An early draft was started twice.')
  return moved.run
}

const isIn = (moved: Moved | Stale | { kind: 'refused' }): Run | null => {
  if (moved.kind !== 'moved') return null
  holds(moved)
  return moved.run
}

/** Asserts that only the same person can undo a pending decision, and that an undone decision never takes effect. */
const undoesDecision = (run: Run, deciding: Parameters<typeof acceptDecision>[1] & { countsAt: number }): void => {
  const { decision, who, countsAt, fourEyes } = deciding
  const pending = isIn(acceptDecision(run, deciding))
  if (!pending) return
  must(pending.open.length === run.open.length, 'A pending decision changed the tasks.', pending)
  must(acceptDecision(pending, { ...deciding, who: 'zoe' }).kind === 'refused', 'Two decisions are pending.', pending)
  const early = { at: countsAt, now: countsAt - 1, fourEyes }
  must(settleDecision(pending, early).kind === 'stale', 'A decision took effect before its time.', pending)
  const undo = { decisionId: decision.decisionId, who, now: countsAt - 1 }
  must(undoDecision(pending, { ...undo, who: 'zoe' }).kind === 'refused', 'Another person undid a decision.', pending)
  const undone = isIn(undoDecision(pending, undo))
  must(undone !== null, 'A pending decision could not be undone.', pending)
  if (!undone) return
  must(settleDecision(undone, { ...early, now: countsAt }).kind === 'stale', 'An undone decision took effect.', undone)
  must(acceptDecision(undone, deciding).kind === 'refused', 'An undone decision was accepted again.', undone)
}

const people = ['ann', 'bob', 'ann as named by key-1', 'key-1'] as const

/** Adds a note, an assignment and a decision. With four eyes, two people must approve the same text to release it. */
const deliberates = (run: Run, pick: Pick): Run => {
  const task = reviewTask(run)
  const now = (run.movedAt ?? run.createdAt) + pick(100)
  // A decision needs enough time to take effect before the deadline.
  if (!task || task.pending || now + 10 >= task.dueAt) return run
  const who = people[pick(people.length)]!
  const noted = isIn(addNote(run, { text: 'Look.', who, now })) ?? run
  const assigned = isIn(assignRun(noted, pick(3) ? who : null)) ?? noted
  const deciding = { decision: anyDecision(task.id, pick), who, now, fourEyes: pick(2) === 0 }
  undoesDecision(assigned, { ...deciding, countsAt: now + 10 })
  const { decision, fourEyes } = deciding
  const accepted = acceptDecision(assigned, { ...deciding, countsAt: pick(2) ? now + 10 : undefined })
  const moved = isIn(accepted)
  const at = moved && reviewTask(moved)?.pending?.at
  const settled = moved && at ? isIn(settleDecision(moved, { at, now: at, fourEyes })) : moved
  if (!settled) return assigned
  const isReleased = !settled.open.some(({ id }) => id === task.id) && ['approve', 'edit'].includes(decision.action)
  const first = (task.approvals ?? []).find(({ action }) => action === decision.action)
  if (fourEyes && isReleased)
    must(first !== undefined && !isSamePerson(first.by, who), 'One person released a draft alone.', run)
  return settled.open.length > 0 ? settled : assigned
}

const step = (start: Run, reports: Report[], pick: Pick, also?: Holds): Run => {
  const before = pick(2) ? deliberates(start, pick) : start
  const run = pick(2) ? showsPart(pick(3) ? startsAhead(before) : before, pick) : before
  const { report, turn } = anyTurn(run, pick(run.open.length), pick)
  const ended = anyEnd(run, pick)
  const moved = ended?.kind === 'moved' ? ended : turn(run)
  if (moved.kind === 'stale') {
    must(report.kind === 'review' || report.kind === 'admit', 'An open task could not report.', report)
    return run
  }
  holds(moved)
  keepsText(run, moved)
  also?.(moved.run)
  if (!pick(20)) isStoredWhole(moved)
  if (moved.run.reason) seen.add(moved.run.reason)
  reports.push(report)
  isLate(moved.run, report)
  isLate(moved.run, reports[pick(reports.length)])
  return moved.run
}

/** Runs a question from its ask to its end. A rolled-back store is simulated by continuing from any earlier state. */
const walk = (policy: Policy, webOn: boolean, seed: number, also?: Holds): void => {
  const pick = picks(seed)
  const past: Run[] = []
  const reports: Report[] = []
  const inThread = pick(2)
    ? {
        runId: 'r0',
        status: pick(2) ? ('needs_input' as const) : ('answered' as const),
        question: 'And?',
        text: hidden,
        passageIds: some(pick, 2, (n) => `${hidden}-${n}`),
      }
    : undefined
  const rules = anyRules(pick, also === undefined)
  let { run } = start({ ...asked, webOn, ...rules, ...(inThread && { inThread }) }, policy)
  while (run.open.length > 0) {
    past.push(run)
    must(past.length < 500, 'The run does not end.', run)
    if (run.open.length > 1 && run.ahead === undefined && !pick(3)) commutes(run, pick)
    run = step(pick(30) ? run : past[pick(past.length)]!, reports, pick, also)
  }
}

it.each(Object.entries(policies))(
  'keeps every invariant over 300 random runs under %s',
  (_name, policy) => {
    fc.assert(
      fc.property(fc.boolean(), fc.integer(), (webOn, from) => walk(policy, webOn, from)),
      { numRuns: 300, seed: inject('seed') },
    )
  },
  60_000,
)

it('keeps every invariant over 10,000 random runs: any policy, any order, late, repeated, abandoned, rolled back', () => {
  fc.assert(
    fc.property(anyPolicy, fc.boolean(), fc.integer(), (policy, webOn, from) => walk(policy, webOn, from)),
    { numRuns: 10_000, seed: inject('seed') },
  )
  expect([...seen].sort()).toEqual(Object.keys(reasons).sort())
}, 120_000)

it.each(['standard', 'auto'])(
  'keeps every invariant over 5,000 random runs that begin early, under %s',
  (name) => {
    fc.assert(
      fc.property(fc.boolean(), fc.integer(), (webOn, from) => walk(policies[name]!, webOn, from)),
      { numRuns: 5_000, seed: inject('seed') },
    )
  },
  120_000,
)

it('releases only grounded drafts under any policy that holds: 5,000 random runs', () => {
  fc.assert(
    fc.property(anyPolicy, fc.boolean(), fc.integer(), (policy, webOn, from) =>
      walk(heldPolicy(policy), webOn, from, releasesOnlyGrounded),
    ),
    { numRuns: 5_000, seed: inject('seed') },
  )
}, 120_000)
