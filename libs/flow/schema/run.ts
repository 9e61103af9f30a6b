import {
  AccessTags,
  AskClass,
  Checked,
  CitedPassage,
  Claim,
  Filters,
  Grade,
  QuotedPlace,
  Released,
  RouteTo,
  RunStatus,
  Scores,
  Source,
  Strategy,
  Usage,
  Working,
} from '@plumbline/contracts'
import { z } from 'zod'
import { Policy } from '../policy/policy'
import { Hold, HoldDeadline } from './hold'
import { Task } from './task'
import { Failed } from './task-fields'

export const EvidenceRow = z.object({
  id: z.string(),
  documentId: z.string(),
  title: z.string(),
  /** Stored only if a review rule names collections, or if the search began before the route was known. */
  collection: z.string().optional(),
  scores: Scores,
  grade: Grade.optional(),
  mark: z
    .object({
      sensitive: z.boolean().optional(),
      outdated: z.boolean().optional(),
      lowAuthority: z.boolean().optional(),
    })
    .optional(),
})
export type EvidenceRow = z.infer<typeof EvidenceRow>

export const Step = z.object({
  step: z.number().int(),
  question: z.string(),
  waitsFor: z.number().int().nullable(),
  status: z.enum(['waiting', 'open', 'done']),
  try: z.number().int(),
  source: Source,
  resolved: z.string().optional(),
  /** The queries that the router or planner wrote for the first try. */
  planned: z.array(z.string()).optional(),
  /** The data sources that the planner chose. If missing, the data sources of the run are used. */
  lookups: z.array(z.string()).optional(),
  queries: z.array(z.string()),
  strategies: z.array(Strategy).optional(),
  evidence: z.array(EvidenceRow),
  failed: Failed.optional(),
  /** True if the last try found nothing new. No further query is then tried for this step. */
  exhausted: z.boolean().optional(),
  /** The names of services that were unavailable during a try. */
  degraded: z.array(z.string()).optional(),
  /** When the last search found nothing, this number of documents in its collections was still being imported. */
  beingRead: z.number().int().optional(),
})
export type Step = z.infer<typeof Step>

export const Draft = z.object({
  draft: z.number().int(),
  text: z.string(),
  citations: z.array(CitedPassage),
  editedBy: z.string().optional(),
  quotes: z.array(QuotedPlace).optional(),
  rows: z.array(QuotedPlace).optional(),
  /** The words of the question that no quote contains. Set only if most words are missing. */
  missing: z.array(z.string()).optional(),
  /** True if a model should have written the draft, but no model was available. */
  degraded: z.boolean().optional(),
  workings: z.array(Working).optional(),
  /** The number of passages from which the draft was written. */
  passed: z.number().int().optional(),
})
export type Draft = z.infer<typeof Draft>
export const Grading = z.object({
  draft: z.number().int(),
  score: z.number(),
  ...Checked.shape,
  degraded: z.boolean().optional(),
})
export type Grading = z.infer<typeof Grading>

/** The beginning of the answer that the asker has already read. All later drafts must start with it. */
export const Shown = z.object({
  text: z.string(),
  citations: z.array(CitedPassage),
  claims: z.array(Claim),
  workings: z.array(Working).optional(),
  /** The passage ids by citation number, from 1. An unused number has an empty id. Later drafts keep the numbers. */
  numbers: z.array(z.string()),
  /** A hash of everything the check depends on: question, passages, prompts, model and date. */
  checkKey: z.string(),
  /** Set if a later check no longer supports the text. */
  doubted: z.boolean().optional(),
})
export type Shown = z.infer<typeof Shown>

const Spent = z.object({
  moves: z.number().int(),
  rewrites: z.number().int(),
  webSearches: z.number().int(),
  regenerations: z.number().int(),
  augments: z.number().int(),
  /** The number of retries before the first draft that do not count toward the shared limit. */
  apart: z.number().int().optional(),
})

/** The thread before this question. Without `runId`, the client sent the earlier turns, so they are no evidence. */
const InThread = z.object({
  runId: z.string().optional(),
  status: RunStatus,
  question: z.string(),
  text: z.string(),
  passageIds: z.array(z.string()),
  turns: z.array(z.object({ runId: z.string().optional(), question: z.string(), text: z.string() })).optional(),
  summary: z.string().optional(),
})

/** A new field must be optional, because stored runs do not have it yet. */
export const Run = z.object({
  id: z.string(),
  tenant: z.string(),
  lane: z.string(),
  question: z.string(),
  policy: Policy,
  /** The collections that this run may read. Empty if no collection matches the question. */
  collections: z.array(z.string()),
  /** Set if the asker named several collections. */
  named: z.literal(true).optional(),
  webOn: z.boolean(),
  skills: z.string().optional(),
  threadId: z.string().optional(),
  /** The id of the earlier run that this run replaces in a branch of the thread. */
  replaces: z.string().optional(),
  inThread: InThread.optional(),
  filters: Filters.optional(),
  /** If missing, the run sees only documents without access tags. */
  access: z.union([z.literal('all'), AccessTags]).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** The tenant's review rules at the time of the question. */
  hold: Hold.optional(),
  deadline: HoldDeadline.optional(),
  /** Defaults to `interactive`. */
  class: AskClass.optional(),
  /** The position in the queue, which shares the workers fairly among tenants. Runs without a position come first. */
  turn: z.number().optional(),
  origin: z.object({ requestId: z.string().optional(), traceparent: z.string().optional() }).optional(),
  askedBy: z.string().optional(),
  assignee: z.string().optional(),
  /** Set if Plumbline chose the assignee. The assignment ends when the reviewer becomes unavailable. */
  autoAssigned: z.literal(true).optional(),
  createdAt: z.number(),
  deadlineAt: z.number(),
  endedAt: z.number().optional(),
  movedAt: z.number().optional(),
  status: RunStatus,
  reason: z.string().optional(),
  open: z.array(Task),
  /** The outcome of each closed task, by task id. A report about a closed task is late or repeated. */
  closed: z.record(z.string(), z.string()),
  route: z.object({ to: RouteTo, logic: z.string(), collections: z.array(z.string()) }).optional(),
  standalone: z.string().optional(),
  summary: z.string().optional(),
  sumUp: z.string().optional(),
  /** The data source (lookup) to query before the documents. Set by a rule of the operator. */
  lookup: z.string().optional(),
  /** The data sources that the router chose. Missing if the router made no choice. */
  lookups: z.array(z.string()).optional(),
  /** True if `gradeEvidence` is `when-needed`. The stored policy says `on`, because older workers know only `on`. */
  gradesWhenNeeded: z.boolean().optional(),
  /** True if the router judged that one search step answers the question. */
  simple: z.boolean().optional(),
  steps: z.array(Step),
  /** The number of passages from an early search, which began before the route was known. Removed before the check. */
  ahead: z.number().int().optional(),
  draft: Draft.optional(),
  grading: Grading.optional(),
  shown: Shown.optional(),
  decision: z
    .object({ taskId: z.string(), decisionId: z.string(), action: z.string(), keep: z.boolean().optional() })
    .optional(),
  spent: Spent,
  usage: Usage,
  answer: Released.optional(),
})
export type Run = z.infer<typeof Run>

export const questionOf = ({ question, standalone }: Pick<Run, 'question' | 'standalone'>): string =>
  standalone ?? question
