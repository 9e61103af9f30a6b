import { z } from 'zod'
import { Checked, Working } from './claim'
import { Filters } from './filters'
import { CitedPassage, Evidence, QuotedPlace } from './passage'
import { EndStatus, PlannedStep, Released, ReviewAction, RouteTo, Strategy } from './run-view'
import { Cursor } from './text'

export const CaseTry = z.object({
  step: z.number().int(),
  try: z.number().int(),
  strategy: Strategy.optional(),
  found: z.number().int(),
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
  reason: z.string(),
  action: ReviewAction,
  by: z.string(),
  decider: z.enum(['reviewer', 'asker']),
  /** The number of supported claims divided by the number of all claims. Null if no claim was checked. */
  score: z.number().nullable(),
  decidedAt: z.string(),
  status: EndStatus.optional(),
}

export const CaseSummary = z.object(summary)
export type CaseSummary = z.infer<typeof CaseSummary>

export const CaseList = z.object({
  items: z.array(CaseSummary),
  next: Cursor,
  keptDays: z.number().int(),
})
export type CaseList = z.infer<typeof CaseList>

const CaseTurn = z.object({ question: z.string(), text: z.string() })

export const CaseStep = PlannedStep.pick({ question: true, waitsFor: true }).extend({
  step: z.number().int(),
  resolved: z.string().optional(),
  passageIds: z.array(z.string()),
})
export type CaseStep = z.infer<typeof CaseStep>

export const Case = z.object({
  ...summary,
  /** The question of a follow-up in words that are clear without the thread. */
  standalone: z.string().optional(),
  thread: z.object({ turns: z.array(CaseTurn), summary: z.string().optional() }).optional(),
  access: z.union([z.literal('all'), z.array(z.string())]).optional(),
  filters: Filters.optional(),
  policySettings: z.looseObject({ name: z.string() }),
  route: RouteTo.optional(),
  /** `skills` names the set of models. `prompts` lists the prompts with their versions. */
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
  edited: z.string().optional(),
  askedAt: z.string(),
  parkedAt: z.string(),
  outcome: z
    .object({ status: EndStatus, reason: z.string(), at: z.string(), released: Released.optional() })
    .optional(),
})
export type Case = z.infer<typeof Case>

/** The 95 % confidence interval (by Wilson's formula) of the share of approved drafts. */
export const ShareInterval = z.object({ low: z.number(), high: z.number() })
export type ShareInterval = z.infer<typeof ShareInterval>

const counted = {
  cases: z.number().int(),
  approved: z.number().int(),
  /** Present only if there are at least 10 cases. */
  interval: ShareInterval.optional(),
}

export const ScoreBucket = z.object({ from: z.number(), to: z.number(), ...counted })
export type ScoreBucket = z.infer<typeof ScoreBucket>

export const PolicyCalibration = z.object({
  policy: z.string(),
  /** Here, `approved` counts the drafts that reviewers approved unchanged. */
  ...counted,
  buckets: z.array(ScoreBucket),
  /** The share of held drafts that reviewers did not approve unchanged. Null if no draft was held. */
  precision: z.number().nullable(),
  falseHolds: z.number().int(),
  /** The policy holds drafts whose score is lower. */
  threshold: z.number().optional(),
  proposal: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('threshold'), parkBelow: z.number(), ...counted }),
    z.object({ kind: z.literal('none'), ...counted }),
    z.object({
      kind: z.literal('too-few'),
      cases: z.number().int(),
      needed: z.number().int(),
      /** A preliminary threshold, which assumes that further cases are like the known ones. Needs at least 10 cases. */
      preliminary: z.object({ parkBelow: z.number().optional(), ...counted }).optional(),
    }),
  ]),
})
export type PolicyCalibration = z.infer<typeof PolicyCalibration>

export const StrategyCount = z.object({
  strategy: Strategy,
  tries: z.number().int(),
  succeeded: z.number().int(),
})
export type StrategyCount = z.infer<typeof StrategyCount>

export const Calibration = z.object({
  policies: z.array(PolicyCalibration),
  strategies: z.array(z.object({ collection: z.string(), counts: z.array(StrategyCount), advice: z.string() })),
  keptDays: z.number().int(),
})
export type Calibration = z.infer<typeof Calibration>
