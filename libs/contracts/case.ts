import { z } from 'zod'
import { Checked, Working } from './claim'
import { Filters } from './filters'
import { CitedPassage, Evidence, QuotedPlace } from './passage'
import { EndStatus, PlannedStep, Released, ReviewAction, RouteTo, Strategy } from './run-view'
import { Cursor } from './text'

/** One search of a step, with its rewritten queries and the number of passages graded relevant. */
export const CaseTry = z.object({
  step: z.number().int(),
  try: z.number().int(),
  strategy: Strategy.optional(),
  found: z.number().int(),
  /** Absent if nothing was graded. */
  relevant: z.number().int().optional(),
})
export type CaseTry = z.infer<typeof CaseTry>

const summary = {
  id: z.string(),
  runId: z.string(),
  taskId: z.string(),
  decisionId: z.string(),
  question: z.string(),
  policy: z.string(),
  collections: z.array(z.string()),
  /** The reason of the hold. */
  reason: z.string(),
  action: ReviewAction,
  by: z.string(),
  decider: z.enum(['reviewer', 'asker']),
  /** Supported claims ÷ all claims. Null if no claim of the draft was checked. */
  score: z.number().nullable(),
  decidedAt: z.string(),
  /** The run's end. Absent while it is in progress. */
  status: EndStatus.optional(),
}

export const CaseSummary = z.object(summary)
export type CaseSummary = z.infer<typeof CaseSummary>

export const CaseList = z.object({
  items: z.array(CaseSummary),
  next: Cursor,
  /** Retention of a case in days; 0 stores none. */
  keptDays: z.number().int(),
})
export type CaseList = z.infer<typeof CaseList>

const Turn = z.object({ question: z.string(), text: z.string() })

/** A step of the research at the time of the decision, with its question and passages. */
export const CaseStep = PlannedStep.pick({ question: true, waitsFor: true }).extend({
  step: z.number().int(),
  resolved: z.string().optional(),
  passageIds: z.array(z.string()),
})
export type CaseStep = z.infer<typeof CaseStep>

/** The data behind a decision and its result, enough to repeat the draft and its check. */
export const Case = z.object({
  ...summary,
  /** The standalone question of a thread, and the earlier turns. */
  standalone: z.string().optional(),
  thread: z.object({ turns: z.array(Turn), summary: z.string().optional() }).optional(),
  access: z.union([z.literal('all'), z.array(z.string())]).optional(),
  filters: Filters.optional(),
  /** The policy with every setting, as in the run. */
  policySettings: z.looseObject({ name: z.string() }),
  route: RouteTo.optional(),
  /** The models, and every prompt with its version. */
  skills: z.string().optional(),
  prompts: z.array(z.string()),
  steps: z.array(CaseStep),
  tries: z.array(CaseTry),
  evidence: z.array(Evidence),
  draft: z.object({
    text: z.string(),
    citations: z.array(CitedPassage),
    workings: z.array(Working).optional(),
    quotes: z.array(QuotedPlace).optional(),
    editedBy: z.string().optional(),
  }),
  check: Checked.extend({ score: z.number(), degraded: z.boolean().optional() }).optional(),
  guidance: z.string().optional(),
  note: z.string().optional(),
  /** The edited text that replaced the draft. */
  edited: z.string().optional(),
  askedAt: z.string(),
  parkedAt: z.string(),
  outcome: z
    .object({ status: EndStatus, reason: z.string(), at: z.string(), released: Released.optional() })
    .optional(),
})
export type Case = z.infer<typeof Case>

const counted = { cases: z.number().int(), approved: z.number().int() }

/** How often reviewers approved drafts of these scores unchanged. */
export const ScoreBucket = z.object({ from: z.number(), to: z.number(), ...counted })
export type ScoreBucket = z.infer<typeof ScoreBucket>

export const PolicyCalibration = z.object({
  policy: z.string(),
  /** Reviewers' decisions on checked drafts. */
  ...counted,
  buckets: z.array(ScoreBucket),
  /** Share of held drafts that were not approved unchanged, so holding them was right. Null without any. */
  precision: z.number().nullable(),
  /** Drafts that were held and approved unchanged. */
  falseHolds: z.number().int(),
  /** The policy's current `parkBelow`. */
  threshold: z.number().optional(),
  proposal: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('threshold'), parkBelow: z.number(), ...counted }),
    /** There are enough cases, but no score was approved often enough. */
    z.object({ kind: z.literal('none'), ...counted }),
    z.object({ kind: z.literal('too-few'), cases: z.number().int(), needed: z.number().int() }),
  ]),
})
export type PolicyCalibration = z.infer<typeof PolicyCalibration>

export const StrategyCount = z.object({
  strategy: Strategy,
  tries: z.number().int(),
  /** Tries that found a relevant passage. */
  succeeded: z.number().int(),
})
export type StrategyCount = z.infer<typeof StrategyCount>

export const Calibration = z.object({
  policies: z.array(PolicyCalibration),
  strategies: z.array(z.object({ collection: z.string(), counts: z.array(StrategyCount), advice: z.string() })),
  keptDays: z.number().int(),
})
export type Calibration = z.infer<typeof Calibration>
