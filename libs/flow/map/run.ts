import {
  AccessTags,
  AskClass,
  Checked,
  CitedPassage,
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

/** One row of a step's evidence. The passage itself stands in the store, out of line. */
export const EvidenceRow = z.object({
  id: z.string(),
  documentId: z.string(),
  title: z.string(),
  /** Set in runs that a rule may hold for a collection. */
  collection: z.string().optional(),
  scores: Scores,
  grade: Grade.optional(),
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
  /** Written with the plan, for its first try. */
  planned: z.array(z.string()).optional(),
  queries: z.array(z.string()),
  strategies: z.array(Strategy).optional(),
  evidence: z.array(EvidenceRow),
  failed: Failed.optional(),
  /** Its last try brought nothing but what was found before: another wording will not help. */
  exhausted: z.boolean().optional(),
  /** What a try of it had to do without. */
  degraded: z.array(z.string()).optional(),
  /** How many documents of what was searched were still being read when its last try found nothing. */
  beingRead: z.number().int().optional(),
})
export type Step = z.infer<typeof Step>

export const Draft = z.object({
  draft: z.number().int(),
  text: z.string(),
  citations: z.array(CitedPassage),
  editedBy: z.string().optional(),
  /** Where nothing was written: the places instead. */
  quotes: z.array(QuotedPlace).optional(),
  /** Rows of tables from which what is written was read. */
  rows: z.array(QuotedPlace).optional(),
  /** A model should have written it, and none could. */
  degraded: z.boolean().optional(),
  workings: z.array(Working).optional(),
  /** How many passages it was written from. */
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

const Spent = z.object({
  moves: z.number().int(),
  rewrites: z.number().int(),
  webSearches: z.number().int(),
  regenerations: z.number().int(),
  augments: z.number().int(),
  /** How many of these do not count with the shared ones. */
  apart: z.number().int().optional(),
})

/**
 * What the last run of the thread asked, said and cited; `turns` are those before it, oldest first, and `summary` what came before them.
 * Without `runId` the asker brought it along: those are its words, they cite nothing and are evidence for nothing.
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

/** One question's journey. New fields are optional until every run stored before them is gone. */
export const Run = z.object({
  id: z.string(),
  tenant: z.string(),
  lane: z.string(),
  question: z.string(),
  policy: Policy,
  /** The collections this run may read; empty means none was found to ask. */
  collections: z.array(z.string()),
  webOn: z.boolean(),
  skills: z.string().optional(),
  threadId: z.string().optional(),
  /** The run that it asks anew, in a branch of that one's thread. */
  replaces: z.string().optional(),
  inThread: InThread.optional(),
  filters: Filters.optional(),
  /** The access tags it reads with; none where it does not say. */
  access: z.union([z.literal('all'), AccessTags]).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
  /** What its tenant's rules said when it was asked. */
  hold: Hold.optional(),
  deadline: HoldDeadline.optional(),
  /** `interactive` where it does not say. */
  class: AskClass.optional(),
  /** Its place in the order in which tenants take turns, for all of its tasks; a run without one goes first. */
  turn: z.number().optional(),
  /** The request it came with, and where that stands in its trace. */
  origin: z.object({ requestId: z.string().optional(), traceparent: z.string().optional() }).optional(),
  /** The key that asked. */
  askedBy: z.string().optional(),
  /** Whose work its reviews are. */
  assignee: z.string().optional(),
  createdAt: z.number(),
  deadlineAt: z.number(),
  endedAt: z.number().optional(),
  /** The latest time any report came with. */
  movedAt: z.number().optional(),
  status: RunStatus,
  reason: z.string().optional(),
  open: z.array(Task),
  /** Every closed task and how it closed: a late or repeated report finds itself here. */
  closed: z.record(z.string(), z.string()),
  route: z.object({ to: RouteTo, logic: z.string(), collections: z.array(z.string()) }).optional(),
  /** The question as it stands without its thread. */
  standalone: z.string().optional(),
  /** The thread in short, for the runs after this one. */
  summary: z.string().optional(),
  /** The document that is to be summed up, as the asker named it. */
  sumUp: z.string().optional(),
  /** The lookup that a rule of the operator has asked before the documents. */
  lookup: z.string().optional(),
  /** The router called the question simple: one step answers it. */
  simple: z.boolean().optional(),
  steps: z.array(Step),
  draft: Draft.optional(),
  grading: Grading.optional(),
  decision: z
    .object({ taskId: z.string(), decisionId: z.string(), action: z.string(), keep: z.boolean().optional() })
    .optional(),
  spent: Spent,
  usage: Usage,
  answer: Released.optional(),
})
export type Run = z.infer<typeof Run>

/** What is asked, as every task but the first works on it. */
export const questionOf = ({ question, standalone }: Pick<Run, 'question' | 'standalone'>): string =>
  standalone ?? question
