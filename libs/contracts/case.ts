import { z } from 'zod'
import { Checked, Working } from './claim'
import { Filters } from './filters'
import { CitedPassage, Evidence, QuotedPlace } from './passage'
import { EndStatus, PlannedStep, Released, ReviewAction, RouteTo, Strategy } from './run-view'
import { Cursor } from './text'

/** One search of a research step, with its queries. */
export const CaseTry = z.object({
  step: z.number().int(),
  try: z.number().int(),
  strategy: Strategy.optional(),
  found: z.number().int(),
  /** The number of passages that were graded as relevant. Absent if no passage was graded. */
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
  /** The reason why the draft was held. */
  reason: z.string(),
  action: ReviewAction,
  by: z.string(),
  decider: z.enum(['reviewer', 'asker']),
  /** The supported claims divided by all claims of the draft. Null if no claim was checked. */
  score: z.number().nullable(),
  decidedAt: z.string(),
  /** The final status of the run. Absent while the run is in progress. */
  status: EndStatus.optional(),
}

export const CaseSummary = z.object(summary)
export type CaseSummary = z.infer<typeof CaseSummary>

export const CaseList = z.object({
  items: z.array(CaseSummary),
  next: Cursor,
  /** The retention of cases in days. With 0, no cases are stored. */
  keptDays: z.number().int(),
})
export type CaseList = z.infer<typeof CaseList>

const Turn = z.object({ question: z.string(), text: z.string() })

/** A research step with its question and passages, as it was at the time of the decision. */
export const CaseStep = PlannedStep.pick({ question: true, waitsFor: true }).extend({
  step: z.number().int(),
  resolved: z.string().optional(),
  passageIds: z.array(z.string()),
})
export type CaseStep = z.infer<typeof CaseStep>

/**
 * A reviewer's decision, the data that the reviewer saw, and the result. The data is sufficient to draft and check the
 * answer again.
 */
export const Case = z.object({
  ...summary,
  /** The question rewritten without references to its thread, if it was a follow-up. */
  standalone: z.string().optional(),
  thread: z.object({ turns: z.array(Turn), summary: z.string().optional() }).optional(),
  access: z.union([z.literal('all'), z.array(z.string())]).optional(),
  filters: Filters.optional(),
  /** All settings of the policy of the run. */
  policySettings: z.looseObject({ name: z.string() }),
  route: RouteTo.optional(),
  /** `skills`: the label of the models. `prompts`: the prompts with their versions. */
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
  /** The edited text with which the reviewer replaced the draft. */
  edited: z.string().optional(),
  askedAt: z.string(),
  parkedAt: z.string(),
  outcome: z
    .object({ status: EndStatus, reason: z.string(), at: z.string(), released: Released.optional() })
    .optional(),
})
export type Case = z.infer<typeof Case>

const counted = { cases: z.number().int(), approved: z.number().int() }

/** The number of drafts with a score in this range, and how many of them reviewers approved unchanged. */
export const ScoreBucket = z.object({ from: z.number(), to: z.number(), ...counted })
export type ScoreBucket = z.infer<typeof ScoreBucket>

export const PolicyCalibration = z.object({
  policy: z.string(),
  /** The number of checked drafts that reviewers decided on, and how many of them were approved unchanged. */
  ...counted,
  buckets: z.array(ScoreBucket),
  /**
   * The share of held drafts that reviewers did not approve unchanged. Holding these drafts was right. Null if no draft
   * was held.
   */
  precision: z.number().nullable(),
  /** The number of held drafts that reviewers approved unchanged. Holding these drafts was unnecessary. */
  falseHolds: z.number().int(),
  /** The current `parkBelow` of the policy. Drafts with a lower score are held. */
  threshold: z.number().optional(),
  proposal: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('threshold'), parkBelow: z.number(), ...counted }),
    /** `none`: there are enough cases, but reviewers did not approve enough of them at any threshold. */
    z.object({ kind: z.literal('none'), ...counted }),
    z.object({ kind: z.literal('too-few'), cases: z.number().int(), needed: z.number().int() }),
  ]),
})
export type PolicyCalibration = z.infer<typeof PolicyCalibration>

export const StrategyCount = z.object({
  strategy: Strategy,
  tries: z.number().int(),
  /** The number of tries with this strategy that found a relevant passage. */
  succeeded: z.number().int(),
})
export type StrategyCount = z.infer<typeof StrategyCount>

export const Calibration = z.object({
  policies: z.array(PolicyCalibration),
  strategies: z.array(z.object({ collection: z.string(), counts: z.array(StrategyCount), advice: z.string() })),
  keptDays: z.number().int(),
})
export type Calibration = z.infer<typeof Calibration>
