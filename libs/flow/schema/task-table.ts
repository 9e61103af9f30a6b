import {
  Checked,
  CitedPassage,
  Evidence,
  Grade,
  Overall,
  PlannedStep,
  QuotedPlace,
  Source,
  Strategy,
  Working,
} from '@plumbline/contracts'
import { z } from 'zod'

const logic = z.string()
/**
 * The standalone question, a summary of a thread that is too long for a prompt, and the lookups that fit the question.
 * Without `lookups`, nobody chose.
 */
const understood = {
  question: z.string().optional(),
  summary: z.string().optional(),
  lookups: z.array(z.string()).optional(),
}
const decided = { by: z.string(), decisionId: z.string(), note: z.string().optional() }
const released = { ...decided, keep: z.boolean().optional() }
/** `cached`: the number of queries that earlier results answered. `note`: a remark for the asker about the search. */
const queried = {
  queries: z.array(z.string()),
  strategy: Strategy.optional(),
  reason: z.string().optional(),
  note: z.string().optional(),
  degraded: z.array(z.string()).optional(),
  cached: z.number().int().optional(),
}

/** The types of the handlers are derived from this table. */
export const taskMap = {
  admit: {
    stage: 'door',
    outcomes: { admitted: z.object({}), refused: z.object({ reason: z.string() }) },
  },
  route: {
    stage: 'router',
    outcomes: {
      /** `simple`: one step answers the question. A policy that plans only complex questions then skips the plan. */
      research: z.object({
        logic,
        ...understood,
        collections: z.array(z.string()),
        simple: z.boolean().optional(),
        queries: z.array(z.string()).optional(),
        /** The lookup to query before the documents, set by a rule of the operator. */
        lookup: z.string().optional(),
      }),
      /** Outcome if the asker wants a summary of a document. `title` is the document's name in the asker's words. */
      summarise: z.object({ logic, ...understood, collections: z.array(z.string()), title: z.string() }),
      /** Outcome if an earlier run answered the same question, with a checked answer and unchanged sources. */
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
      /**
       * `knowledge`: needs no document but is not small talk. `text`: the operator's own reply, never written by a
       * model.
       */
      reply: z.object({ logic, ...understood, knowledge: z.boolean().optional(), text: z.string().min(1).optional() }),
      clarify: z.object({ logic, ...understood }),
      decline: z.object({ logic, ...understood }),
      continue: z.object({ logic, ...understood }),
    },
  },
  plan: {
    stage: 'planner',
    outcomes: { planned: z.object({ logic, steps: z.array(PlannedStep).min(1) }) },
  },
  research: {
    stage: 'researcher',
    outcomes: {
      /** `resolved`: the step's question after the answer of the earlier step was filled in. */
      found: z.object({
        ...queried,
        source: Source,
        passages: z.array(Evidence).min(1),
        resolved: z.string().optional(),
      }),
      /** `beingRead`: the number of documents in the searched collections that are still being read. */
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
    outcomes: { graded: z.object({ grades: z.array(Grade.extend({ passageId: z.string() })), overall: Overall }) },
  },
  generate: {
    stage: 'generator',
    outcomes: {
      drafted: z.object({
        text: z.string().min(1),
        citations: z.array(CitedPassage),
        workings: z.array(Working).optional(),
        quotes: z.array(QuotedPlace).optional(),
      }),
      /**
       * Passages quoted word for word. `missing`: words of the question that no quote contains, if they are most of its
       * words. `degraded`: a model should have written an answer.
       */
      quoted: z.object({
        quotes: z.array(QuotedPlace).min(1),
        missing: z.array(z.string()).optional(),
        degraded: z.boolean().optional(),
      }),
      /** Outcome if none of the passages is about the question. Quoting them would not answer it. */
      distant: z.object({}),
      refused: z.object({ reason: z.string() }),
    },
  },
  reply: {
    stage: 'generator',
    outcomes: {
      /** `written`: true if a model wrote the text. Otherwise the text is fixed. */
      replied: z.object({ text: z.string().min(1), written: z.boolean().optional() }),
      refused: z.object({ reason: z.string() }),
    },
  },
  'grade-answer': {
    stage: 'grader',
    outcomes: {
      graded: z.object({
        ...Checked.shape,
        /** True if the checking model was unavailable and the offline fallback checked the draft. */
        degraded: z.boolean().optional(),
      }),
    },
  },
  review: {
    stage: 'desk',
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
/** Zod infers an empty object as a record without allowed fields, so `outcome` would be an error. */
type Fields<T> = string extends keyof T ? unknown : T

/** The stages that run as workers. The other two, `door` (the gateway) and `desk` (a person), have no worker jobs. */
export const stages = ['router', 'planner', 'researcher', 'generator', 'grader'] as const
export type Stage = (typeof stages)[number]
export type TasksOf<S extends Stage> = { [K in TaskKind]: TaskMap[K]['stage'] extends S ? K : never }[TaskKind]

/** The result of a stage's handler: one outcome of the task, with exactly the fields of that outcome. */
export type Result<K extends TaskKind> = { [O in OutcomeOf<K>]: { outcome: O } & Brings<K, O> }[OutcomeOf<K>]
