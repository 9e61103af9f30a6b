import type { SkillName } from '@plumbline/flow'
import type { ChatModel } from '@plumbline/ports/chat-model'
import type { Embedder } from '@plumbline/ports/search-models'
import { llmAnswer } from './answer/answer.llm'
import { offlineAnswerWith, quotesOnlyWith } from './answer/answer.offline'
import { llmShortAnswer } from './answer/short-answer.llm'
import { llmCheck, llmCheckPart } from './check/check.llm'
import { llmFillLookup } from './fill-lookup/fill-lookup.llm'
import { llmGradeEvidence } from './grade-evidence/grade-evidence.llm'
import { offlineSkills } from './offline'
import { llmPlan } from './plan/plan.llm'
import { llmRefineEvidence } from './refine-evidence/refine-evidence.llm'
import { llmReply } from './reply/reply.llm'
import { llmRetryQuery } from './retry-query/retry-query.llm'
import { llmRoute } from './route/route.llm'
import { llmStandaloneQuestion } from './route/standalone-question.llm'
import type { ModelOf } from './skill/ask-model'
import { withOfflineFallback } from './skill/offline-fallback'
import type { Call, Skill, Skills } from './skill/skill'
import { llmSummarise } from './summarise/summarise.llm'

type ChatOf = (skill: SkillName, tier: Call['tier']) => ChatModel | 'offline'

type Setting = {
  chatOf: ChatOf
  label: string
  /** The token limit for all passages together. Long passages are shortened to the text around matching words. */
  evidenceTokens?: number
  /** Finds quotes by meaning. If null, quotes are found by the words that they share with the question. */
  meaning?: Pick<Embedder, 'embed'> | null
}

const usualEvidence = 12_000

export const modelSkills = ({ chatOf, label, evidenceTokens = usualEvidence, meaning = null }: Setting): Skills => {
  const form = <In, Out>(
    skill: SkillName,
    llm: (chat: ModelOf, evidenceTokens: number) => Skill<In, Out>,
    offline: Skill<In, Out>,
    fallback = offline,
  ): Skill<In, Out> => {
    return (input, call) => {
      const chat = chatOf(skill, call.tier)
      if (chat === 'offline') return offline(input, call)
      const model = llm(() => chat, evidenceTokens)
      return withOfflineFallback(skill, model, fallback)(input, call)
    }
  }
  return {
    label,
    route: form('route', llmRoute, offlineSkills.route),
    standaloneQuestion: form('route', llmStandaloneQuestion, offlineSkills.standaloneQuestion),
    plan: form('plan', llmPlan, offlineSkills.plan),
    rewriteQuery: form('rewriteQuery', llmRetryQuery, offlineSkills.rewriteQuery),
    gradeEvidence: form('gradeEvidence', llmGradeEvidence, offlineSkills.gradeEvidence),
    refineEvidence: form('refineEvidence', llmRefineEvidence, offlineSkills.refineEvidence),
    answer: form('answer', llmAnswer, offlineAnswerWith(meaning), quotesOnlyWith(meaning)),
    shortAnswer: form('answer', llmShortAnswer, offlineSkills.shortAnswer),
    reply: form('reply', llmReply, offlineSkills.reply),
    check: form('check', llmCheck, offlineSkills.check),
    checkPart: form('check', llmCheckPart, offlineSkills.checkPart),
    fillLookup: form('fillLookup', llmFillLookup, offlineSkills.fillLookup),
    summarise: form('summarise', llmSummarise, offlineSkills.summarise),
  }
}
