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

/** One row of a step's evidence. The store holds the passage itself, separately. */
export const EvidenceRow = z.object({
  id: z.string(),
  documentId: z.string(),
  title: z.string(),
  /** The collection of the passage. Set only if a rule of the tenant may hold the run for a collection. */
  collection: z.string().optional(),
  scores: Scores,
  grade: Grade.optional(),
  /** Findings of the draft check. Set only in runs that grade evidence on demand. */
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
  queries: z.array(z.string()),
  strategies: z.array(Strategy).optional(),
  evidence: z.array(EvidenceRow),
  failed: Failed.optional(),
  /** The last try found only known passages, so no other wording will help. */
  exhausted: z.boolean().optional(),
  /** Services that were unavailable during a try. */
  degraded: z.array(z.string()).optional(),
  /** How many documents in the searched collections were still being read when the last try found nothing. */
  beingRead: z.number().int().optional(),
})
export type Step = z.infer<typeof Step>

export const Draft = z.object({
  draft: z.number().int(),
  text: z.string(),
  citations: z.array(CitedPassage),
  editedBy: z.string().optional(),
  /** The quoted passages, if no model wrote the draft. */
  quotes: z.array(QuotedPlace).optional(),
  /** The table rows that the draft was read from. */
  rows: z.array(QuotedPlace).optional(),
  /** A model should have written the draft, but none was available. */
  degraded: z.boolean().optional(),
  workings: z.array(Working).optional(),
  /** How many passages the draft was written from. */
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

/**
 * The beginning of the answer that was checked and released while the rest was being written. The asker has read it, so
 * it never changes, and every later draft continues it.
 */
export const Shown = z.object({
  text: z.string(),
  citations: z.array(CitedPassage),
  /** The claims of the text. All are supported. */
  claims: z.array(Claim),
  workings: z.array(Working).optional(),
  /** The passages by number: passage 1 is the first. Later drafts use the same numbers and append new passages. */
  numbers: z.array(z.string()),
  /** Identifies the inputs of the check: question, passages, prompts, model and date. */
  checkKey: z.string(),
  /** Later evidence disagrees with the text. */
  doubted: z.boolean().optional(),
})
export type Shown = z.infer<typeof Shown>

const Spent = z.object({
  moves: z.number().int(),
  rewrites: z.number().int(),
  webSearches: z.number().int(),
  regenerations: z.number().int(),
  augments: z.number().int(),
  /** How many retries do not count toward the shared limit. */
  apart: z.number().int().optional(),
})

/**
 * The question, answer and citations of the last run in the thread. `turns` are the runs before it, oldest first,
 * and `summary` covers the runs before those. Without `runId`, the client sent the turns: they cite nothing and are
 * no evidence.
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

/** The state of one question. A new field stays optional as long as stored runs without it exist. */
export const Run = z.object({
  id: z.string(),
  tenant: z.string(),
  lane: z.string(),
  question: z.string(),
  policy: Policy,
  /** The collections this run may read. Empty if none matches the question. */
  collections: z.array(z.string()),
  webOn: z.boolean(),
  skills: z.string().optional(),
  threadId: z.string().optional(),
  /** The run that this one asks again, in a branch of its thread. */
  replaces: z.string().optional(),
  inThread: InThread.optional(),
  filters: Filters.optional(),
  /** The access tags with which the run reads documents. If missing, the run reads without tags. */
  access: z.union([z.literal('all'), AccessTags]).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** The tenant's rules at the time of the ask. */
  hold: Hold.optional(),
  deadline: HoldDeadline.optional(),
  /** `interactive` if missing. */
  class: AskClass.optional(),
  /** The run's position in the fair queue of tenants, for all its tasks. A run without a position goes first. */
  turn: z.number().optional(),
  /** The request that asked, and its position in the caller's trace. */
  origin: z.object({ requestId: z.string().optional(), traceparent: z.string().optional() }).optional(),
  /** The id of the key that asked. */
  askedBy: z.string().optional(),
  /** The reviewer to whom the reviews of this run are assigned. */
  assignee: z.string().optional(),
  createdAt: z.number(),
  deadlineAt: z.number(),
  endedAt: z.number().optional(),
  /** The latest time in any report of this run. */
  movedAt: z.number().optional(),
  status: RunStatus,
  reason: z.string().optional(),
  open: z.array(Task),
  /** Every closed task and its outcome, to detect late and repeated reports. */
  closed: z.record(z.string(), z.string()),
  route: z.object({ to: RouteTo, logic: z.string(), collections: z.array(z.string()) }).optional(),
  /** The question, understandable without its thread. */
  standalone: z.string().optional(),
  /** A summary of the thread, for later runs. */
  summary: z.string().optional(),
  /** The document to summarize, as the asker named it. */
  sumUp: z.string().optional(),
  /** The lookup to ask before the documents, by a rule of the operator. */
  lookup: z.string().optional(),
  /**
   * Set if the policy grades evidence only when needed. The stored policy then says `on`, so that workers of the
   * previous version grade first.
   */
  gradesWhenNeeded: z.boolean().optional(),
  /** The router called the question simple: one step answers it. */
  simple: z.boolean().optional(),
  steps: z.array(Step),
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

/** Returns the question that every task after the route works on. */
export const questionOf = ({ question, standalone }: Pick<Run, 'question' | 'standalone'>): string =>
  standalone ?? question
