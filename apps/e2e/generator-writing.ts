import { z } from 'zod'
import { defineStage } from '@plumbline/hosting/define-stage'
import { offlineSkills } from '@plumbline/skills/offline'
import type { Skills } from '@plumbline/skills/skill/skill'
import { generate } from '@plumbline/stages/generator/generate'

export const generatorWriting = (textFor: (question: string) => string) => {
  const answer: Skills['answer'] = ({ question, evidence: [first] }) =>
    Promise.resolve({
      kind: 'written',
      text: textFor(question),
      citations: first ? [{ n: 1, passageId: first.id }] : [],
    })
  return defineStage({
    stage: 'generator',
    env: z.object({}),
    handlers: () => ({
      generate: generate({ skills: { ...offlineSkills, answer } }),
      reply: () => Promise.resolve({ outcome: 'replied' as const, text: 'Hello.' }),
    }),
  })
}
