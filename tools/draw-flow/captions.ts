import type { AnswerPart, Claim, Evidence, Grade, ReviewAction } from '@plumbline/contracts'
import { decisionsFor } from '@plumbline/flow'
import type { Policy, Result, Run, Task, TaskKind, TaskOf } from '@plumbline/flow'

type Captions<K extends TaskKind> = (run: Run, task: TaskOf<K>) => Record<string, Result<K>>

const logic = ''
const step = (question: string, waitsFor: number | null = null) => ({ question, waitsFor })
const passage: Evidence = {
  id: 'p',
  documentId: 'd',
  collection: 'c',
  title: '',
  text: '',
  headingPath: [],
  position: 0,
  scores: {},
}
const grade = (relevant: boolean): Grade => ({ relevant, level: relevant ? 'high' : 'low', confidence: 1, reason: '' })

const claim = (verdict: Claim['verdict'], conflictsWith?: string): Claim => ({
  text: '',
  kind: 'fact',
  verdict,
  reason: '',
  passageId: null,
  ...(conflictsWith && { conflictsWith }),
})
const part = (outcome: AnswerPart['outcome']): AnswerPart => ({ what: '', outcome })
const check = {
  claims: [claim('supported')],
  parts: [part('answered')],
  support: 'full',
  usefulness: 5,
  confidence: 1,
  tooBroad: false,
  evidence: { sensitive: false, outdated: [], lowAuthority: [] },
} satisfies Omit<Extract<Result<'grade-answer'>, { outcome: 'graded' }>, 'outcome'>
const checked: Result<'grade-answer'> = { outcome: 'graded', ...check }

const judged: Record<string, Result<'grade-answer'>> = {
  stands: checked,
  unsupported: { ...checked, claims: [claim('unsupported')] },
  contradicted: { ...checked, claims: [claim('contradicted')] },
  'another value elsewhere': { ...checked, claims: [claim('supported', 'q')] },
  'not useful': { ...checked, usefulness: 1, parts: [part('missed')] },
  'too broad': { ...checked, tooBroad: true },
  'nothing answers': { ...checked, parts: [part('not-in-documents')] },
  'checked offline': { ...checked, degraded: true },
}

/** Only policies that grade when needed use these results. */
const ofEvidence = ({ steps }: Run): Record<string, Result<'grade-answer'>> => ({
  'stands, sensitive': { ...checked, evidence: { ...check.evidence, sensitive: true } },
  'stands, outdated': { ...checked, evidence: { ...check.evidence, outdated: [cited(steps)] } },
})

const cited = (steps: Run['steps']): string => {
  const rows = steps.flatMap(({ evidence }) => evidence)
  return (rows.find((row) => row.grade?.sensitive) ?? rows[0])?.id ?? 'p'
}

const ends: Record<NonNullable<Policy['routing']>, string[]> = {
  scope: ['research', 'summarise', 'known', 'web', 'reply', 'clarify', 'decline'],
  'index-or-web': ['research', 'summarise', 'known', 'web'],
  'retrieve-or-not': ['research', 'summarise', 'known', 'reply', 'continue'],
}
/** If a policy starts with another task, the router only rewrites a follow-up question. */
const ofRouter = (
  { entry, routing = 'scope' }: Policy,
  said: () => Record<string, Result<'route'>>,
): Record<string, Result<'route'>> =>
  entry === 'route'
    ? Object.fromEntries(Object.entries(said()).filter(([, { outcome }]) => ends[routing].includes(outcome)))
    : { 'made whole': { outcome: 'research', logic, collections: [], question: 'whole' } }

/** One result of each kind of flag is enough to show every transition. */
const flagged = (passageIds: string[]): Record<string, Result<'grade-evidence'>> => {
  const all = (flag: Partial<Grade>): Result<'grade-evidence'> => ({
    outcome: 'graded',
    overall: 'correct',
    grades: passageIds.map((passageId) => ({ passageId, ...grade(true), ...flag })),
  })
  return { 'all relevant, sensitive': all({ sensitive: true }), 'all relevant, outdated': all({ outdated: true }) }
}

const decided = { by: 'someone', decisionId: '' }

const captions: { [K in TaskKind]: Captions<K> } = {
  admit: ({ policy, inThread }) => ({
    [policy.entry !== 'route' && inThread ? 'a follow-up' : 'admitted']: { outcome: 'admitted' },
    refused: { outcome: 'refused', reason: '' },
  }),
  route: ({ policy }) =>
    ofRouter(policy, () => ({
      research: { outcome: 'research', logic, collections: [] },
      'research, simple': { outcome: 'research', logic, collections: [], simple: true },
      summarise: { outcome: 'summarise', logic, collections: [], title: '' },
      known: {
        outcome: 'known',
        logic,
        from: { runId: '', at: '' },
        text: 'answer',
        citations: [{ n: 1, passageId: 'p' }],
        passages: [passage],
        check,
      },
      web: { outcome: 'web', logic },
      reply: { outcome: 'reply', logic },
      ...(policy.generalKnowledge !== 'off' && {
        'reply, general knowledge': { outcome: 'reply', logic, knowledge: true },
      }),
      clarify: { outcome: 'clarify', logic },
      decline: { outcome: 'decline', logic },
      continue: { outcome: 'continue', logic },
    })),
  plan: () => ({
    planned: { outcome: 'planned', logic, steps: [step('a')] },
    'planned, a step waits': { outcome: 'planned', logic, steps: [step('a'), step('b', 1)] },
  }),
  research: (_run, { source, step: number, try: attempt }) => ({
    found: {
      outcome: 'found',
      queries: [],
      source,
      passages: ['a', 'b'].map((letter) => ({ ...passage, id: `${letter}${number}.${attempt}` })),
    },
    nothing: { outcome: 'nothing', queries: [], source },
  }),
  'grade-evidence': (_run, { passageIds, step, try: attempt }) => ({
    'all relevant': {
      outcome: 'graded',
      overall: 'correct',
      grades: passageIds.map((passageId) => ({ passageId, ...grade(true) })),
    },
    ...(step === 1 && attempt === 1 && flagged(passageIds)),
    'one relevant': {
      outcome: 'graded',
      overall: 'ambiguous',
      grades: passageIds.map((passageId, n) => ({ passageId, ...grade(n === 0) })),
    },
    'none relevant': {
      outcome: 'graded',
      overall: 'incorrect',
      grades: passageIds.map((passageId) => ({ passageId, ...grade(false) })),
    },
  }),
  generate: ({ steps }) => ({
    drafted: { outcome: 'drafted', text: 'draft', citations: [{ n: 1, passageId: cited(steps) }] },
    'no model, quoted': { outcome: 'quoted', quotes: [{ n: 1, passageId: cited(steps), text: '', marks: [] }] },
    'nothing close': { outcome: 'distant' },
    refused: { outcome: 'refused', reason: '' },
  }),
  reply: () => ({ replied: { outcome: 'replied', text: 'reply' }, refused: { outcome: 'refused', reason: '' } }),
  'grade-answer': (run) =>
    run.draft?.quotes
      ? { quotes: checked }
      : { ...judged, ...(run.gradesWhenNeeded && run.draft?.draft === 1 && ofEvidence(run)) },
  review: (run) => {
    const all: Record<ReviewAction, Result<'review'>> = {
      approve: { outcome: 'approved', ...decided },
      edit: { outcome: 'edited', text: 'edit', ...decided },
      retry: { outcome: 'retry', ...decided },
      research: { outcome: 'research', guidance: 'look', ...decided },
      reject: { outcome: 'rejected', ...decided },
    }
    return Object.fromEntries(decisionsFor(run).map((action) => [all[action].outcome, all[action]]))
  },
}

export const captionsOf = (run: Run, task: Task): [string, { outcome: string }][] =>
  Object.entries((captions[task.kind] as (run: Run, task: Task) => Record<string, { outcome: string }>)(run, task))
