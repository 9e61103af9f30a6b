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
/** The question as it stands without its thread, and the thread in short where it has grown too long to be read again. */
const understood = { question: z.string().optional(), summary: z.string().optional() }
const decided = { by: z.string(), decisionId: z.string(), note: z.string().optional() }
const released = { ...decided, keep: z.boolean().optional() }
/** `cached`: how many of the queries were answered by what was found before. `note`: what the asker is told of the search. */
const queried = {
  queries: z.array(z.string()),
  strategy: Strategy.optional(),
  reason: z.string().optional(),
  note: z.string().optional(),
  degraded: z.array(z.string()).optional(),
  cached: z.number().int().optional(),
}

/** Every task, the stage that does it, its outcomes, and what each outcome brings. Handlers are typed from this table. */
export const taskMap = {
  admit: {
    stage: 'door',
    outcomes: { admitted: z.object({}), refused: z.object({ reason: z.string() }) },
  },
  route: {
    stage: 'router',
    outcomes: {
      /** `simple`: one step answers it, so a policy that plans only what is complex skips the plan. */
      research: z.object({
        logic,
        ...understood,
        collections: z.array(z.string()),
        simple: z.boolean().optional(),
        queries: z.array(z.string()).optional(),
        /** To be asked before the documents, by a rule of the operator. */
        lookup: z.string().optional(),
      }),
      /** A document is to be summed up; `title` names it as far as the asker did. */
      summarise: z.object({ logic, ...understood, collections: z.array(z.string()), title: z.string() }),
      /** An earlier run answered just this, its answer was checked there, and nothing it rests on has changed. */
      known: z.object({
        logic,
        ...understood,
        from: z.object({ runId: z.string(), at: z.string() }),
        text: z.string().min(1),
        citations: z.array(CitedPassage),
        passages: z.array(Evidence),
        check: Checked,
        /** A person released it and had it kept, however its check came out. */
        kept: z.boolean().optional(),
      }),
      web: z.object({ logic, ...understood, queries: z.array(z.string()).optional() }),
      /**
       * `knowledge`: it asks for something that no document is needed for, and is no small talk.
       * `text`: the operator's own words for this, never a model's.
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
      /** `resolved` is the step's question with the answer of the step it waited for filled in. */
      found: z.object({
        ...queried,
        source: Source,
        passages: z.array(Evidence).min(1),
        resolved: z.string().optional(),
      }),
      /** `beingRead`: how many documents of what was searched can be found later. */
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
        /** Rows of a table that it was read from. */
        quotes: z.array(QuotedPlace).optional(),
      }),
      /** No model wrote: places of the documents, word for word. `degraded`: a model should have. */
      quoted: z.object({ quotes: z.array(QuotedPlace).min(1), degraded: z.boolean().optional() }),
      refused: z.object({ reason: z.string() }),
    },
  },
  reply: {
    stage: 'generator',
    outcomes: {
      /** `written`: in a model's words, not in ours. */
      replied: z.object({ text: z.string().min(1), written: z.boolean().optional() }),
      refused: z.object({ reason: z.string() }),
    },
  },
  'grade-answer': {
    stage: 'grader',
    outcomes: {
      graded: z.object({
        ...Checked.shape,
        /** The checker was down, and the offline rung did its work. */
        degraded: z.boolean().optional(),
      }),
    },
  },
  review: {
    stage: 'desk',
    outcomes: {
      approved: z.object(released),
      edited: z.object({ ...released, text: z.string().min(1) }),
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
/** An empty object infers as a record that allows no field at all, not even `outcome`. */
type Fields<T> = string extends keyof T ? unknown : T

/** The stages that run as workers; `door` (the gateway) and `desk` (a person) hold no worker job. */
export const stages = ['router', 'planner', 'researcher', 'generator', 'grader'] as const
export type Stage = (typeof stages)[number]
export type TasksOf<S extends Stage> = { [K in TaskKind]: TaskMap[K]['stage'] extends S ? K : never }[TaskKind]

/** What a stage's handler returns: an outcome of its task and exactly what that outcome brings. */
export type Result<K extends TaskKind> = { [O in OutcomeOf<K>]: { outcome: O } & Brings<K, O> }[OutcomeOf<K>]
