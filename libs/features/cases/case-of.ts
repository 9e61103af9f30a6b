import { createHash } from 'node:crypto'
import type { Case, CaseStep, CaseTry, Checked, Evidence, LedgerEvent } from '@plumbline/contracts'
import type { KeptCase } from './store/cases'
import { policyOf, type Run, withGrades } from '@plumbline/flow'
import { iso, hasEnded, releasedAnswer } from '@plumbline/gateway/present/answer'

type Of<T extends LedgerEvent['type']> = Extract<LedgerEvent, { type: T }>
type Decided = Of<'decided'>
type Graded = Checked & { score: number; degraded?: boolean | undefined }

const of = <T extends LedgerEvent['type']>(events: LedgerEvent[], type: T): Of<T>[] =>
  events.filter((event): event is Of<T> => event.type === type)

/** Derives the id from the review task, so that a case that is computed again gets the same id. */
const caseIdOf = (runId: string, taskId: string): string =>
  `k${createHash('sha256').update(`${runId}\0${taskId}`).digest('hex').slice(0, 24)}`

/** Returns the held draft and the result of its check. An edited draft has no result until it is checked again. */
const heldAt = (before: LedgerEvent[]): { draft: Case['draft']; check: Graded | undefined } => {
  let draft: Case['draft'] = { text: '', citations: [] }
  let check: Graded | undefined
  for (const event of before) {
    if (event.type === 'drafted') {
      const { text, citations, workings, quotes } = event
      draft = { text, citations, ...(workings && { workings }), ...(quotes && { quotes }) }
      check = undefined
    } else if (event.type === 'decided' && event.action === 'edit' && event.text !== undefined) {
      draft = { text: event.text, citations: draft.citations, editedBy: event.by }
      check = undefined
    } else if (event.type === 'answer-graded') {
      const { type: _, audience: _audience, at: _at, task: _task, draft: _draft, ...graded } = event
      check = graded
    }
  }
  return { draft, check: draft.quotes ? undefined : check }
}

const triesIn = (before: LedgerEvent[]): CaseTry[] => {
  const grades = of(before, 'evidence-graded')
  return of(before, 'queried').map(({ step, try: attempt, strategy, passages }) => {
    const graded = grades.find((one) => one.step === step && one.try === attempt)
    return {
      step,
      try: attempt,
      found: passages.length,
      ...(strategy && { strategy }),
      ...(graded && { relevant: graded.relevant }),
    }
  })
}

const foundIn = (before: LedgerEvent[]): Set<string> =>
  new Set([
    ...of(before, 'queried').flatMap(({ passages }) => passages.map(({ id }) => id)),
    ...of(before, 'drafted').flatMap(({ citations }) => citations.map(({ passageId }) => passageId)),
  ])

const stepsOf = (run: Run, found: Set<string>): CaseStep[] =>
  run.steps.map(({ step, question, waitsFor, resolved, evidence }) => ({
    step,
    question,
    waitsFor,
    ...(resolved !== undefined && { resolved }),
    passageIds: evidence.map(({ id }) => id).filter((id) => found.has(id)),
  }))

const threadOf = ({ inThread }: Run): Pick<Case, 'thread'> =>
  inThread
    ? {
        thread: {
          turns: [...(inThread.turns ?? []), inThread].map(({ question, text }) => ({ question, text })),
          ...(inThread.summary !== undefined && { summary: inThread.summary }),
        },
      }
    : {}

const promptsIn = (before: LedgerEvent[]): string[] =>
  [...new Set(of(before, 'called').flatMap(({ calls }) => calls.flatMap(({ prompt }) => prompt ?? [])))].sort()

const outcomeOf = (run: Run): Pick<Case, 'outcome' | 'status'> => {
  const { status, reason = '', endedAt } = run
  if (!hasEnded(run) || endedAt === undefined) return {}
  const ended = status as NonNullable<Case['status']>
  const released = releasedAnswer(run)
  return { status: ended, outcome: { status: ended, reason, at: iso(endedAt), ...(released && { released }) } }
}

/** Reasons to hold a draft whatever its score is. A lower score threshold would not have released such a draft. */
const heldAnyway = new Set([
  ...['contradicted', 'conflict', 'unchecked', 'checked-offline', 'sensitive', 'general'],
  ...['tenant', 'sample', 'collection', 'words'],
])

const decisionOf = ({ decisionId, action, by, note, guidance, text, at }: Decided) => ({
  decisionId,
  action,
  by,
  decidedAt: iso(at),
  ...(note !== undefined && { note }),
  ...(guidance !== undefined && { guidance }),
  ...(text !== undefined && { edited: text }),
})

const settingOf = (run: Run): Pick<Case, 'standalone' | 'access' | 'filters' | 'route' | 'skills' | 'thread'> => ({
  ...(run.standalone !== undefined && { standalone: run.standalone }),
  ...threadOf(run),
  ...(run.access !== undefined && { access: run.access }),
  ...(run.filters && { filters: run.filters }),
  ...(run.route && { route: run.route.to }),
  ...(run.skills !== undefined && { skills: run.skills }),
})

export const casePassages = (run: Run, ledger: LedgerEvent[]): string[] => {
  const found = foundIn(ledger)
  return [...new Set([...run.steps.flatMap(({ evidence }) => evidence.map(({ id }) => id)), ...found])]
}

const drawn = (run: Run, before: LedgerEvent[], decided: Decided, passages: Evidence[]): KeptCase => {
  const { draft, check } = heldAt(before)
  const parked = of(before, 'parked').findLast(({ task }) => task === decided.task)
  const { reason = 'parked', decider = 'reviewer', at: parkedAt = decided.at } = parked ?? {}
  const found = foundIn(before)
  const { status, outcome } = outcomeOf(run)
  const taskId = decided.task ?? ''
  const decision = decisionOf(decided)
  const summary = {
    id: caseIdOf(run.id, taskId),
    runId: run.id,
    taskId,
    decisionId: decision.decisionId,
    question: run.question,
    policy: run.policy.name,
    collections: [...(run.route?.collections ?? run.collections)].sort(),
    reason,
    action: decision.action,
    by: decision.by,
    decider,
    score: check?.score ?? null,
    decidedAt: decision.decidedAt,
    ...(status && { status }),
  }
  const tries = triesIn(before)
  const byScore = !heldAnyway.has(reason.replace('parked.', ''))
  const value: Case = {
    ...summary,
    ...decision,
    ...settingOf(run),
    policySettings: policyOf(run),
    prompts: promptsIn(before),
    steps: stepsOf(run, found),
    tries,
    evidence: withGrades(
      run,
      passages.filter(({ id }) => found.has(id)),
    ),
    draft,
    ...(check && { check }),
    askedAt: iso(run.createdAt),
    parkedAt: iso(parkedAt),
    ...(outcome && { outcome }),
  }
  return { row: { ...summary, tries, byScore, ...(run.access !== undefined && { access: run.access }) }, value }
}

/**
 * Computes the cases of a run, one for each decision of a reviewer. Uses only stored data, so that the result is always
 * the same.
 */
export const casesOf = (run: Run, ledger: LedgerEvent[], passages: Evidence[]): KeptCase[] =>
  ledger.flatMap((event, at) => (event.type === 'decided' ? [drawn(run, ledger.slice(0, at), event, passages)] : []))
