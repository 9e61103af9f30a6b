import { offlineAnswer } from './answer/answer.offline'
import { offlineCheckClaims } from './check-claims/check-claims.offline'
import { offlineCompute } from './compute/compute.offline'
import { offlineFillLookup } from './fill-lookup/fill-lookup.offline'
import { offlineGradeEvidence } from './grade-evidence/grade-evidence.offline'
import type { Skills } from './index'
import { offlinePlan } from './plan/plan.offline'
import { offlineRateUsefulness } from './rate-usefulness/rate-usefulness.offline'
import { offlineRefineEvidence } from './refine-evidence/refine-evidence.offline'
import { offlineReply } from './reply/reply.offline'
import { offlineRewriteQuery } from './rewrite-query/rewrite-query.offline'
import { offlineRoute } from './route/route.offline'
import { offlineSummarise } from './summarise/summarise.offline'
import { offlineWriteQueries } from './write-queries/write-queries.offline'

/** Every skill without a model: deterministic, lexical, extractive. */
export const offlineSkills: Skills = {
  label: 'offline',
  route: offlineRoute,
  plan: offlinePlan,
  writeQueries: offlineWriteQueries,
  rewriteQuery: offlineRewriteQuery,
  gradeEvidence: offlineGradeEvidence,
  refineEvidence: offlineRefineEvidence,
  answer: offlineAnswer,
  reply: offlineReply,
  checkClaims: offlineCheckClaims,
  rateUsefulness: offlineRateUsefulness,
  compute: offlineCompute,
  fillLookup: offlineFillLookup,
  summarise: offlineSummarise,
}
