import { offlineAnswer, offlineShortAnswer } from './answer/answer.offline'
import { offlineCheck, offlineCheckPart } from './check/check.offline'
import { offlineFillLookup } from './fill-lookup/fill-lookup.offline'
import { offlineGradeEvidence } from './grade-evidence/grade-evidence.offline'
import { offlinePlan } from './plan/plan.offline'
import { offlineRefineEvidence } from './refine-evidence/refine-evidence.offline'
import { offlineReply } from './reply/reply.offline'
import { offlineRetryQuery } from './retry-query/retry-query.offline'
import { offlineRoute } from './route/route.offline'
import { offlineStandaloneQuestion } from './route/standalone-question.offline'
import type { Skills } from './skill/skill'
import { offlineSummarise } from './summarise/summarise.offline'

/** The skills without a model. They never claim that the documents contain no answer. */
export const offlineSkills: Skills = {
  label: 'offline',
  route: offlineRoute,
  standaloneQuestion: offlineStandaloneQuestion,
  plan: offlinePlan,
  rewriteQuery: offlineRetryQuery,
  gradeEvidence: offlineGradeEvidence,
  refineEvidence: offlineRefineEvidence,
  answer: offlineAnswer,
  shortAnswer: offlineShortAnswer,
  reply: offlineReply,
  check: offlineCheck,
  checkPart: offlineCheckPart,
  fillLookup: offlineFillLookup,
  summarise: offlineSummarise,
}
