import type { SkillName } from '@plumbline/flow'
import type { ChatModel } from '@plumbline/ports/chat-model'
import { llmAnswer } from './answer/answer.llm'
import type { ModelOf } from './asking/asking'
import { withLastRung } from './asking/last-rung'
import { llmCheckClaims } from './check-claims/check-claims.llm'
import { llmCompute } from './compute/compute.llm'
import { llmFillLookup } from './fill-lookup/fill-lookup.llm'
import { llmGradeEvidence } from './grade-evidence/grade-evidence.llm'
import type { Skills } from './index'
import { offlineSkills } from './offline'
import { llmPlan } from './plan/plan.llm'
import { llmRateUsefulness } from './rate-usefulness/rate-usefulness.llm'
import { llmRefineEvidence } from './refine-evidence/refine-evidence.llm'
import { llmReply } from './reply/reply.llm'
import { llmRewriteQuery } from './rewrite-query/rewrite-query.llm'
import { llmRoute } from './route/route.llm'
import type { Call, Skill } from './skill'
import { llmSummarise } from './summarise/summarise.llm'
import { llmWriteQueries } from './write-queries/write-queries.llm'

/** What does a skill's work at a tier: a model, or the skill's offline form. */
export type ChatOf = (skill: SkillName, tier: Call['tier']) => ChatModel | 'offline'

/** Every skill by the model that is set for it. A skill without one is offline, beside others that are not. */
export const modelSkills = ({ chatOf, label }: { chatOf: ChatOf; label: string }): Skills => {
  const form = <In, Out>(
    skill: SkillName,
    llm: (chat: ModelOf) => Skill<In, Out>,
    offline: Skill<In, Out>,
  ): Skill<In, Out> => {
    return (input, call) => {
      const chat = chatOf(skill, call.tier)
      return chat === 'offline'
        ? offline(input, call)
        : withLastRung(
            skill,
            llm(() => chat),
            offline,
          )(input, call)
    }
  }
  return {
    label,
    route: form('route', llmRoute, offlineSkills.route),
    plan: form('plan', llmPlan, offlineSkills.plan),
    writeQueries: form('writeQueries', llmWriteQueries, offlineSkills.writeQueries),
    rewriteQuery: form('rewriteQuery', llmRewriteQuery, offlineSkills.rewriteQuery),
    gradeEvidence: form('gradeEvidence', llmGradeEvidence, offlineSkills.gradeEvidence),
    refineEvidence: form('refineEvidence', llmRefineEvidence, offlineSkills.refineEvidence),
    answer: form('answer', llmAnswer, offlineSkills.answer),
    reply: form('reply', llmReply, offlineSkills.reply),
    checkClaims: form('checkClaims', llmCheckClaims, offlineSkills.checkClaims),
    rateUsefulness: form('rateUsefulness', llmRateUsefulness, offlineSkills.rateUsefulness),
    compute: form('compute', llmCompute, offlineSkills.compute),
    fillLookup: form('fillLookup', llmFillLookup, offlineSkills.fillLookup),
    summarise: form('summarise', llmSummarise, offlineSkills.summarise),
  }
}
