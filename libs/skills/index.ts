import type { Answer } from './answer/answer'
import type { CheckClaims } from './check-claims/check-claims'
import type { Compute } from './compute/compute'
import type { FillLookup } from './fill-lookup/fill-lookup'
import type { GradeEvidence } from './grade-evidence/grade-evidence'
import type { Plan } from './plan/plan'
import type { RateUsefulness } from './rate-usefulness/rate-usefulness'
import type { RefineEvidence } from './refine-evidence/refine-evidence'
import type { Reply } from './reply/reply'
import type { RewriteQuery } from './rewrite-query/rewrite-query'
import type { Route } from './route/route'
import type { Summarise } from './summarise/summarise'
import type { WriteQueries } from './write-queries/write-queries'

export type { Call } from './skill'
export type { CollectionCard } from './route/route'
export type { Answer, GradeEvidence, RefineEvidence, Route }

export type Skills = {
  /** What a run was answered with, as people read it. */
  readonly label: string
  route: Route
  plan: Plan
  writeQueries: WriteQueries
  rewriteQuery: RewriteQuery
  gradeEvidence: GradeEvidence
  refineEvidence: RefineEvidence
  answer: Answer
  reply: Reply
  checkClaims: CheckClaims
  rateUsefulness: RateUsefulness
  compute: Compute
  fillLookup: FillLookup
  summarise: Summarise
}
