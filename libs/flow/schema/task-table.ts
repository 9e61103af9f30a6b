import {
  Checked,
  CitedPassage,
  Claim,
  Evidence,
  Grade,
  OpsStage,
  Overall,
  PlannedStep,
  QuotedPlace,
  Source,
  Strategy,
  Working,
} from '@plumbline/contracts'
import { z } from 'zod'
import { deskFields, Failed, task } from './task-fields'

const logic = z.string()
const understood = {
  question: z.string().optional(),
  summary: z.string().optional(),
  lookups: z.array(z.string()).optional(),
}
const decided = { by: z.string(), decisionId: z.string(), note: z.string().optional() }
const released = { ...decided, keep: z.boolean().optional() }
/** `cached`: how many queries a cache answered. `note`: a remark for the asker about the search. */
const queried = {
  queries: z.array(z.string()),
  strategy: Strategy.optional(),
  reason: z.string().optional(),
  note: z.string().optional(),
  degraded: z.array(z.string()).optional(),
  cached: z.number().int().optional(),
}

/** The schema of a task and the types of the handlers are derived from this table. */
export const taskMap = {
  admit: {
    stage: 'door',
    task: task('admit', {}),
    outcomes: { admitted: z.object({}), refused: z.object({ reason: z.string() }) },
  },
  route: {
    stage: 'router',
    task: task('route', {}),
    outcomes: {
      /** `simple`: one search step answers the question, so a policy with `plan: when-complex` writes no plan. */
      research: z.object({
        logic,
        ...understood,
        collections: z.array(z.string()),
        simple: z.boolean().optional(),
        queries: z.array(z.string()).optional(),
        lookup: z.string().optional(),
      }),
      /** `title`: the document's name in the asker's words. */
      summarise: z.object({ logic, ...understood, collections: z.array(z.string()), title: z.string() }),
      /** An earlier run already answered this question. Its answer passed the check, and its sources are unchanged. */
      known: z.object({
        logic,
        ...understood,
        from: z.object({ runId: z.string(), at: z.string() }),
        text: z.string().min(1),
        citations: z.array(CitedPassage),
        passages: z.array(Evidence),
        check: Checked,
        /** True if a person released and pinned the answer. The result of its check is then ignored. */
        kept: z.boolean().optional(),
      }),
      web: z.object({ logic, ...understood, queries: z.array(z.string()).optional() }),
      /** `knowledge`: the question is about common knowledge. `text`: the operator's fixed reply. */
      reply: z.object({ logic, ...understood, knowledge: z.boolean().optional(), text: z.string().min(1).optional() }),
      clarify: z.object({ logic, ...understood }),
      decline: z.object({ logic, ...understood }),
      continue: z.object({ logic, ...understood }),
    },
  },
  plan: {
    stage: 'planner',
    task: task('plan', {}),
    outcomes: { planned: z.object({ logic, steps: z.array(PlannedStep).min(1) }) },
  },
  research: {
    stage: 'researcher',
    task: task('research', {
      step: z.number().int(),
      try: z.number().int(),
      source: Source,
      failed: Failed.optional(),
      /** The ids of passages that the thread already cited. */
      passageIds: z.array(z.string()).optional(),
    }),
    outcomes: {
      /** `resolved`: the step's question, with the answer of an earlier step filled in. */
      found: z.object({
        ...queried,
        source: Source,
        passages: z.array(Evidence).min(1),
        resolved: z.string().optional(),
      }),
      /** `beingRead`: how many documents of the searched collections are still being imported. */
      nothing: z.object({
        ...queried,
        source: Source,
        resolved: z.string().optional(),
        beingRead: z.number().int().positive().optional(),
      }),
    },
  },
  'grade-evidence': {
    stage: 'grader',
    task: task('grade-evidence', {
      step: z.number().int(),
      try: z.number().int(),
      passageIds: z.array(z.string()),
      /** True if a draft was written before these passages were graded. */
      late: z.boolean().optional(),
    }),
    outcomes: { graded: z.object({ grades: z.array(Grade.extend({ passageId: z.string() })), overall: Overall }) },
  },
  generate: {
    stage: 'generator',
    task: task('generate', {
      draft: z.number().int(),
      /** Supported sentences of the last draft, which the next draft keeps word for word. */
      keep: z.array(z.string()).optional(),
      avoid: z.array(Claim).optional(),
      guidance: z.string().optional(),
    }),
    outcomes: {
      drafted: z.object({
        text: z.string().min(1),
        citations: z.array(CitedPassage),
        workings: z.array(Working).optional(),
        quotes: z.array(QuotedPlace).optional(),
      }),
      /** `missing`: question words that no quote contains, if most are missing. `degraded`: no model was available. */
      quoted: z.object({
        quotes: z.array(QuotedPlace).min(1),
        missing: z.array(z.string()).optional(),
        degraded: z.boolean().optional(),
      }),
      /** No passage is about the question, so quotes would not answer the question either. */
      distant: z.object({}),
      refused: z.object({ reason: z.string() }),
    },
  },
  reply: {
    stage: 'generator',
    task: task('reply', {
      to: z.enum(['general', 'clarify', 'narrow', 'decline', 'knowledge']),
      logic: z.string(),
    }),
    outcomes: {
      /** `written`: a model wrote the text. If missing, the text is fixed. */
      replied: z.object({ text: z.string().min(1), written: z.boolean().optional() }),
      refused: z.object({ reason: z.string() }),
    },
  },
  'grade-answer': {
    stage: 'grader',
    task: task('grade-answer', { draft: z.number().int() }),
    outcomes: {
      graded: z.object({
        ...Checked.shape,
        /** True if the model that checks drafts was unavailable, so that the draft was checked without a model. */
        degraded: z.boolean().optional(),
      }),
    },
  },
  review: {
    stage: 'desk',
    task: task('review', {
      draft: z.number().int(),
      dueAt: z.number(),
      /** The time when the first deadline of the review passed and a second one began. */
      escalatedAt: z.number().optional(),
      decider: z.enum(['reviewer', 'asker']),
      ...deskFields,
    }),
    outcomes: {
      approved: z.object(released),
      edited: z.object({ ...released, text: z.string().min(1), citations: z.array(CitedPassage).optional() }),
      retry: z.object({ ...decided, guidance: z.string().optional() }),
      research: z.object({ ...decided, guidance: z.string() }),
      rejected: z.object(decided),
    },
  },
} as const

type TaskMap = typeof taskMap
export type TaskKind = keyof TaskMap
type OutcomeOf<K extends TaskKind> = keyof TaskMap[K]['outcomes'] & string
type Brings<K extends TaskKind, O extends OutcomeOf<K>> = TaskMap[K]['outcomes'][O] extends z.ZodType
  ? Fields<z.infer<TaskMap[K]['outcomes'][O]>>
  : never
/** Zod's type of an empty object forbids every field, also `outcome`. This type replaces it by `unknown`. */
type Fields<T> = string extends keyof T ? unknown : T

/** The stages `door` (the gateway) and `desk` (a reviewer) have no worker. */
export const stages = OpsStage.exclude(['ingest']).options
export type Stage = (typeof stages)[number]
export type TasksOf<S extends Stage> = { [K in TaskKind]: TaskMap[K]['stage'] extends S ? K : never }[TaskKind]

export type Result<K extends TaskKind> = { [O in OutcomeOf<K>]: { outcome: O } & Brings<K, O> }[OutcomeOf<K>]
