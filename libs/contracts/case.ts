import { z } from 'zod'
import { Checked, Working } from './claim'
import { Filters } from './filters'
import { CitedPassage, Evidence, QuotedPlace } from './passage'
import { EndStatus, PlannedStep, Released, ReviewAction, RouteTo, Strategy } from './run-view'
import { Cursor } from './text'

/** One search of a step, as it was rewritten, and how much of what it found was graded relevant. */
export const CaseTry = z.object({
  step: z.number().int(),
  try: z.number().int(),
  strategy: Strategy.optional(),
  found: z.number().int(),
  /** Absent where nothing was graded. */
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
  /** Why the draft was held. */
  reason: z.string(),
  action: ReviewAction,
  by: z.string(),
  decider: z.enum(['reviewer', 'asker']),
  /** Supported claims ÷ all claims; null where no claim of the draft was checked. */
  score: z.number().nullable(),
  decidedAt: z.string(),
  /** How the run ended; absent while it goes on. */
  status: EndStatus.optional(),
}

export const CaseSummary = z.object(summary)
export type CaseSummary = z.infer<typeof CaseSummary>

export const CaseList = z.object({
  items: z.array(CaseSummary),
  next: Cursor,
  /** For how many days a case is kept; 0 where none is. */
  keptDays: z.number().int(),
})
export type CaseList = z.infer<typeof CaseList>

const Turn = z.object({ question: z.string(), text: z.string() })

/** A step of the research as it stood at the decision: what it asked, and the passages it had. */
export const CaseStep = PlannedStep.pick({ question: true, waitsFor: true }).extend({
  step: z.number().int(),
  resolved: z.string().optional(),
  passageIds: z.array(z.string()),
})
export type CaseStep = z.infer<typeof CaseStep>

/** All that a decision was made on, and what came of it: enough to make the draft and its check again. */
export const Case = z.object({
  ...summary,
  /** The question as it was understood, where it went on from a thread, and what it went on from. */
  standalone: z.string().optional(),
  thread: z.object({ turns: z.array(Turn), summary: z.string().optional() }).optional(),
  access: z.union([z.literal('all'), z.array(z.string())]).optional(),
  filters: Filters.optional(),
  /** The policy with every setting, as the run had it. */
  policySettings: z.looseObject({ name: z.string() }),
  route: RouteTo.optional(),
  /** What made it: the models, and every prompt with its version. */
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
  /** The text an edit put in the place of the draft. */
  edited: z.string().optional(),
  askedAt: z.string(),
  parkedAt: z.string(),
  outcome: z
    .object({ status: EndStatus, reason: z.string(), at: z.string(), released: Released.optional() })
    .optional(),
})
export type Case = z.infer<typeof Case>

const counted = { cases: z.number().int(), approved: z.number().int() }

/** How often reviewers approved drafts of these scores as they were. */
export const ScoreBucket = z.object({ from: z.number(), to: z.number(), ...counted })
export type ScoreBucket = z.infer<typeof ScoreBucket>

export const PolicyCalibration = z.object({
  policy: z.string(),
  /** Decisions of reviewers on drafts that were checked. */
  ...counted,
  buckets: z.array(ScoreBucket),
  /** Share of held drafts that were not approved as they were: parking was right. Null where there is none. */
  precision: z.number().nullable(),
  /** Held, and approved as they were. */
  falseHolds: z.number().int(),
  /** `parkBelow` of the policy as it is today. */
  threshold: z.number().optional(),
  proposal: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('threshold'), parkBelow: z.number(), ...counted }),
    /** Enough cases, and at no score were enough of them approved. */
    z.object({ kind: z.literal('none'), ...counted }),
    z.object({ kind: z.literal('too-few'), cases: z.number().int(), needed: z.number().int() }),
  ]),
})
export type PolicyCalibration = z.infer<typeof PolicyCalibration>

export const StrategyCount = z.object({
  strategy: Strategy,
  tries: z.number().int(),
  /** Tries that brought a passage graded relevant. */
  succeeded: z.number().int(),
})
export type StrategyCount = z.infer<typeof StrategyCount>

export const Calibration = z.object({
  policies: z.array(PolicyCalibration),
  strategies: z.array(z.object({ collection: z.string(), counts: z.array(StrategyCount), advice: z.string() })),
  keptDays: z.number().int(),
})
export type Calibration = z.infer<typeof Calibration>
