import type { Evidence, Grade } from '@plumbline/contracts'
import type { Policy, Result, Run, Task, TaskKind, TaskOf } from '@plumbline/flow'
import { decisionsFor } from '@plumbline/flow'

type Reports<K extends TaskKind> = Record<string, Result<K>>

const logic = ''
const step = (question: string, waitsFor: number | null = null) => ({ question, waitsFor })
const about = { documentId: 'd', collection: 'c', title: '', text: '', headingPath: [], position: 0, scores: {} }
const passage = (id: string): Evidence => ({ ...about, id })
const cited = ({ steps }: Run): string => {
  const rows = steps.flatMap(({ evidence }) => evidence)
  return (rows.find((row) => row.grade?.sensitive) ?? rows[0])?.id ?? 'p'
}
const citations = [{ n: 1, passageId: 'p' }]
const grade = (relevant: boolean): Grade => ({ relevant, level: relevant ? 'high' : 'low', confidence: 1, reason: '' })

type Checked = Extract<Result<'grade-answer'>, { outcome: 'graded' }>
const claim = { text: '', kind: 'fact', verdict: 'supported', reason: '', passageId: null } as const
const evidence = { sensitive: false, outdated: [], lowAuthority: [] }
const rating = { support: 'full', usefulness: 5, confidence: 1, tooBroad: false } as const
const check = { ...rating, evidence, claims: [claim], parts: [{ what: '', outcome: 'answered' as const }] }
const graded = (faults: Partial<Checked> = {}): Checked => ({ outcome: 'graded', ...check, ...faults })

const judged = (run: Run): Reports<'grade-answer'> => ({
  stands: graded(),
  unsupported: graded({ claims: [{ ...claim, verdict: 'unsupported' }] }),
  contradicted: graded({ claims: [{ ...claim, verdict: 'contradicted' }] }),
  'another value elsewhere': graded({ claims: [{ ...claim, conflictsWith: 'q' }] }),
  'not useful': graded({ usefulness: 1, parts: [{ what: '', outcome: 'missed' }] }),
  'too broad': graded({ tooBroad: true }),
  'nothing answers': graded({ parts: [{ what: '', outcome: 'not-in-documents' }] }),
  ...(run.gradesWhenNeeded && {
    'stands, sensitive': graded({ evidence: { ...evidence, sensitive: true } }),
    'stands, outdated': graded({ evidence: { ...evidence, outdated: [cited(run)] } }),
  }),
})

const routed = (general: boolean): Reports<'route'> => ({
  research: { outcome: 'research', logic, collections: [] },
  'research, simple': { outcome: 'research', logic, collections: [], simple: true },
  summarise: { outcome: 'summarise', logic, collections: [], title: '' },
  known: { outcome: 'known', logic, from: { runId: '', at: '' }, text: '', citations, passages: [passage('p')], check },
  web: { outcome: 'web', logic },
  reply: { outcome: 'reply', logic },
  ...(general && { 'reply, general knowledge': { outcome: 'reply', logic, knowledge: true } }),
  clarify: { outcome: 'clarify', logic },
  decline: { outcome: 'decline', logic },
  continue: { outcome: 'continue', logic },
})
const outcomes: Record<NonNullable<Policy['routing']>, string> = {
  scope: 'research summarise known web reply clarify decline',
  'index-or-web': 'research summarise known web',
  'retrieve-or-not': 'research summarise known reply continue',
}

const reports: { [K in TaskKind]: (run: Run, task: TaskOf<K>) => Reports<K> } = {
  admit: ({ policy, inThread }) => ({
    [policy.entry !== 'route' && inThread ? 'a follow-up' : 'admitted']: { outcome: 'admitted' },
  }),
  route: ({ policy: { entry, routing = 'scope', generalKnowledge } }) => {
    // If the policy starts with another task, the router only makes a follow-up question clear on its own.
    if (entry !== 'route') return { 'made whole': { outcome: 'research', logic, collections: [], question: 'whole' } }
    const all = Object.entries(routed(generalKnowledge !== 'off'))
    return Object.fromEntries(all.filter(([, { outcome }]) => outcomes[routing].split(' ').includes(outcome)))
  },
  plan: () => ({
    planned: { outcome: 'planned', logic, steps: [step('a')] },
    'planned, a step waits': { outcome: 'planned', logic, steps: [step('a'), step('b', 1)] },
  }),
  research: (_run, { source, step: at, try: attempt }) => ({
    found: { outcome: 'found', queries: [], source, passages: ['a', 'b'].map((n) => passage(`${n}${at}.${attempt}`)) },
    nothing: { outcome: 'nothing', queries: [], source },
  }),
  'grade-evidence': (_run, { passageIds, step: at, try: attempt }) => {
    const all = (overall: 'correct' | 'ambiguous' | 'incorrect', relevant: number, flags: Partial<Grade> = {}) => {
      const grades = passageIds.map((passageId, n) => ({ passageId, ...grade(n < relevant), ...flags }))
      return { outcome: 'graded' as const, overall, grades }
    }
    return {
      'all relevant': all('correct', Infinity),
      // These flags are reported only for the first try of the first step, which is enough to show every path.
      ...(at === 1 &&
        attempt === 1 && {
          'all relevant, sensitive': all('correct', Infinity, { sensitive: true }),
          'all relevant, outdated': all('correct', Infinity, { outdated: true }),
        }),
      'one relevant': all('ambiguous', 1),
      'none relevant': all('incorrect', 0),
    }
  },
  generate: (run) => ({
    drafted: { outcome: 'drafted', text: 'draft', citations: [{ n: 1, passageId: cited(run) }] },
    'no model, quoted': { outcome: 'quoted', quotes: [{ n: 1, passageId: cited(run), text: '', marks: [] }] },
    'nothing close': { outcome: 'distant' },
  }),
  reply: () => ({ replied: { outcome: 'replied', text: 'reply' } }),
  'grade-answer': (run) => (run.draft?.quotes ? { quotes: graded() } : judged(run)),
  review: (run) => {
    const by = { by: 'someone', decisionId: '' }
    const all: Record<string, Result<'review'>> = {
      approve: { outcome: 'approved', ...by },
      edit: { outcome: 'edited', text: 'edit', ...by },
      retry: { outcome: 'retry', ...by },
      research: { outcome: 'research', guidance: 'look', ...by },
      reject: { outcome: 'rejected', ...by },
    }
    const decisions = decisionsFor(run).flatMap((action) => all[action] ?? [])
    return Object.fromEntries(decisions.map((decision) => [decision.outcome, decision]))
  },
}

/** Returns one report of each kind that the task can make. Each report has the label that the drawing shows. */
export const reportsOf = (run: Run, task: Task): [string, { outcome: string }][] =>
  Object.entries((reports[task.kind] as (run: Run, task: Task) => Record<string, { outcome: string }>)(run, task))
