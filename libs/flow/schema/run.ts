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
import { Failed, Task } from './task'

export const EvidenceRow = z.object({
  id: z.string(),
  documentId: z.string(),
  title: z.string(),
  /** The collection of the passage. Set only if a rule of the tenant may hold the run for a collection. */
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
  /** Queries for the first try, written with the plan. */
  planned: z.array(z.string()).optional(),
  /** The lookups that the planner chose. If missing, the lookups of the run apply. */
  lookups: z.array(z.string()).optional(),
  queries: z.array(z.string()),
  strategies: z.array(Strategy).optional(),
  evidence: z.array(EvidenceRow),
  failed: Failed.optional(),
  /** True if the last try found only known passages. Another wording of the query would not help. */
  exhausted: z.boolean().optional(),
  /** The names of services that were unavailable during a try. */
  degraded: z.array(z.string()).optional(),
  /** The number of searched documents that were still being read when the last try found nothing. */
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
  /** The words of the question that no quote contains, if they are most of its words. */
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

/** The checked beginning that the asker has already read. It never changes, and every later draft continues it. */
export const Shown = z.object({
  text: z.string(),
  citations: z.array(CitedPassage),
  /** The claims of the text. All are supported. */
  claims: z.array(Claim),
  workings: z.array(Working).optional(),
  /** The ids of the cited passages by number from 1, empty for unused numbers. Later drafts keep these numbers. */
  numbers: z.array(z.string()),
  /** Identifies the inputs of the check: question, passages, prompts, model and date. */
  checkKey: z.string(),
  /** Set if later evidence contradicts the text. */
  doubted: z.boolean().optional(),
})
export type Shown = z.infer<typeof Shown>

const Spent = z.object({
  moves: z.number().int(),
  rewrites: z.number().int(),
  webSearches: z.number().int(),
  regenerations: z.number().int(),
  augments: z.number().int(),
  /** The number of retries that do not count toward the shared limit. */
  apart: z.number().int().optional(),
})

/**
 * The last run of the thread. `turns` are oldest first. Without `runId`, the client sent them, so they are not
 * evidence.
 */
const InThread = z.object({
  runId: z.string().optional(),
  status: RunStatus,
  question: z.string(),
  text: z.string(),
  passageIds: z.array(z.string()),
  turns: z.array(z.object({ runId: z.string().optional(), question: z.string(), text: z.string() })).optional(),
  summary: z.string().optional(),
})

/** A new field must be optional while stored runs without the field exist. */
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
  /** The id of the run whose question this run asks again, in a branch of its thread. */
  replaces: z.string().optional(),
  inThread: InThread.optional(),
  filters: Filters.optional(),
  /** The access tags with which the run reads documents. If missing, the run sees only documents without tags. */
  access: z.union([z.literal('all'), AccessTags]).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** The tenant's review rules at the time of the question. */
  hold: Hold.optional(),
  deadline: HoldDeadline.optional(),
  /** Defaults to `interactive`. */
  class: AskClass.optional(),
  /** The run's position in the fair queue of tenants, used for all its tasks. A run without a position comes first. */
  turn: z.number().optional(),
  origin: z.object({ requestId: z.string().optional(), traceparent: z.string().optional() }).optional(),
  askedBy: z.string().optional(),
  assignee: z.string().optional(),
  createdAt: z.number(),
  deadlineAt: z.number(),
  endedAt: z.number().optional(),
  movedAt: z.number().optional(),
  status: RunStatus,
  reason: z.string().optional(),
  open: z.array(Task),
  /** Every closed task with its outcome. Used to detect late and repeated reports. */
  closed: z.record(z.string(), z.string()),
  route: z.object({ to: RouteTo, logic: z.string(), collections: z.array(z.string()) }).optional(),
  standalone: z.string().optional(),
  summary: z.string().optional(),
  sumUp: z.string().optional(),
  /** The lookup to query before the documents, set by a rule of the operator. */
  lookup: z.string().optional(),
  /** The lookups that the router chose. If missing, nobody chose. */
  lookups: z.array(z.string()).optional(),
  /** The stored policy then says `on`, so that workers of the previous version grade first. */
  gradesWhenNeeded: z.boolean().optional(),
  /** True if the router called the question simple, so that one step answers it. */
  simple: z.boolean().optional(),
  steps: z.array(Step),
  /** Set from the start of an early draft until its check opens. The number of passages of the early search. */
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

/** Returns the question for every task after the route: the standalone question, or else the original one. */
export const questionOf = ({ question, standalone }: Pick<Run, 'question' | 'standalone'>): string =>
  standalone ?? question
