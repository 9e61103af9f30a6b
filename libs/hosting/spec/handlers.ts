import type { Evidence } from '@plumbline/contracts'
import type { Stage } from '@plumbline/flow'
import type { StageHandlers } from '@plumbline/worker'

const passage = (step: number): Evidence => ({
  id: `p${step}`,
  documentId: `d${step}`,
  collection: 'default',
  title: `Document ${step}`,
  text: `Fact ${step}.`,
  headingPath: [],
  position: 0,
  scores: {},
})

/** Handlers that think nothing: two steps, one passage each, and an answer that stands. */
export const plainHandlers = (): StageHandlers<Stage> => ({
  route: async ({ run }) => ({ outcome: 'research', logic: 'plain', collections: run.collections }),
  plan: async () => ({
    outcome: 'planned',
    logic: 'plain',
    steps: [1, 2].map((n) => ({ question: `part ${n}`, waitsFor: null })),
  }),
  research: async ({ task }) => ({
    outcome: 'found',
    queries: [`part ${task.step}`],
    source: 'index',
    passages: [passage(task.step)],
  }),
  'grade-evidence': async ({ task }) => ({
    outcome: 'graded',
    overall: 'correct',
    grades: task.passageIds.map((passageId) => ({
      passageId,
      relevant: true,
      level: 'high' as const,
      confidence: 1,
      reason: 'plain',
    })),
  }),
  generate: async ({ evidence }) => ({
    outcome: 'drafted',
    text: evidence.map(({ text }, n) => `${text} [${n + 1}]`).join(' '),
    citations: evidence.map(({ id }, n) => ({ n: n + 1, passageId: id })),
  }),
  reply: async () => ({ outcome: 'replied', text: 'plain' }),
  'grade-answer': async ({ evidence }) => ({
    outcome: 'graded',
    claims: evidence.map(({ id, text }) => ({
      text,
      kind: 'fact' as const,
      verdict: 'supported' as const,
      reason: 'plain',
      passageId: id,
    })),
    parts: [{ what: 'all', outcome: 'answered' }],
    support: 'full',
    usefulness: 5,
    confidence: 1,
    tooBroad: false,
  }),
})
