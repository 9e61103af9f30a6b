import type { AnswerPart, Claim, Evidence, Grade } from '@plumbline/contracts'
import type { Result, Run, Task, TaskKind, TaskOf } from '@plumbline/flow'

/** What a task may say, by the name it has in the drawing. Every outcome of the map must be here: a missing one does not compile. */
type Sayings<K extends TaskKind> = (run: Run, task: TaskOf<K>) => Record<string, Result<K>>

const logic = ''
const step = (question: string, waitsFor: number | null = null) => ({ question, waitsFor })
const passage: Evidence = { id: 'p', documentId: 'd', collection: 'c', title: '', text: '', headingPath: [], position: 0, scores: {} }
const grade = (relevant: boolean): Grade => ({ relevant, level: relevant ? 'high' : 'low', confidence: 1, reason: '' })

const claim = (verdict: Claim['verdict']): Claim => ({ text: '', kind: 'fact', verdict, reason: '', passageId: null })
const part = (outcome: AnswerPart['outcome']): AnswerPart => ({ what: '', outcome })
const checked: Result<'grade-answer'> = {
  outcome: 'graded', claims: [claim('supported')], parts: [part('answered')], support: 'full', usefulness: 5, confidence: 1, tooBroad: false,
}

const decided = { by: 'someone', decisionId: '' }

const sayings: { [K in TaskKind]: Sayings<K> } = {
  admit: () => ({ admitted: { outcome: 'admitted' }, refused: { outcome: 'refused', reason: '' } }),
  route: () => ({
    research: { outcome: 'research', logic, collections: [] },
    'research: a simple question': { outcome: 'research', logic, collections: [], simple: true },
    web: { outcome: 'web', logic },
    reply: { outcome: 'reply', logic },
    clarify: { outcome: 'clarify', logic },
    decline: { outcome: 'decline', logic },
  }),
  plan: () => ({
    planned: { outcome: 'planned', logic, steps: [step('a')] },
    'planned: a step that waits': { outcome: 'planned', logic, steps: [step('a'), step('b', 1)] },
  }),
  research: (_run, { source, step: number, try: attempt }) => ({
    found: { outcome: 'found', queries: [], source, passages: [{ ...passage, id: `p${number}.${attempt}` }] },
    nothing: { outcome: 'nothing', queries: [], source },
  }),
  'grade-evidence': (_run, { passageIds }) => ({
    'graded: good': { outcome: 'graded', overall: 'correct', grades: passageIds.map((passageId) => ({ passageId, ...grade(true) })) },
    'graded: poor': { outcome: 'graded', overall: 'incorrect', grades: passageIds.map((passageId) => ({ passageId, ...grade(false) })) },
  }),
  generate: () => ({ drafted: { outcome: 'drafted', text: 'draft', citations: [] } }),
  reply: () => ({ replied: { outcome: 'replied', text: 'reply' } }),
  'grade-answer': () => ({
    'graded: stands': checked,
    'graded: unsupported': { ...checked, claims: [claim('unsupported')] },
    'graded: contradicted': { ...checked, claims: [claim('contradicted')] },
    'graded: a part is missed': { ...checked, parts: [part('missed')] },
    'graded: too broad': { ...checked, tooBroad: true },
    'graded: not in the documents': { ...checked, claims: [], parts: [part('not-in-documents')] },
  }),
  review: () => ({
    approved: { outcome: 'approved', ...decided },
    edited: { outcome: 'edited', text: 'edit', ...decided },
    retry: { outcome: 'retry', ...decided },
    research: { outcome: 'research', guidance: 'look', ...decided },
    rejected: { outcome: 'rejected', ...decided },
  }),
}

export const sayingsOf = (run: Run, task: Task): [string, { outcome: string }][] =>
  Object.entries((sayings[task.kind] as (run: Run, task: Task) => Record<string, { outcome: string }>)(run, task))
