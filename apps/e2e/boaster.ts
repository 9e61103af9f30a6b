import { defineStage } from '@plumbline/hosting/define-stage'
import { offlineSkills } from '@plumbline/skills/offline'
import { allStages } from '@plumbline/stages/all'
import { generate } from '@plumbline/stages/generator/generate'
import { z } from 'zod'

export const invented = 'The lighthouse is 93 metres high'
export const truth = 'The lighthouse of Skerry is 31 metres high'
export const question = 'How high is the lighthouse of Skerry?'
export const skerry = `# Skerry\n\n${truth}. It was lit for the first time in 1887.`

/** A generator of drafts that contain a sentence without support in any passage. Every draft is therefore held. */
const boaster = defineStage({
  stage: 'generator',
  env: z.object({}),
  handlers: () => ({
    generate: generate({
      skills: {
        ...offlineSkills,
        answer: ({ evidence: [first] }) =>
          Promise.resolve({
            kind: 'written',
            text: `${truth} [1]. ${invented} [1].`,
            citations: first ? [{ n: 1, passageId: first.id }] : [],
          }),
      },
    }),
    reply: () => Promise.resolve({ outcome: 'replied' as const, text: 'Hello.' }),
  }),
})
export const boastingStages = Object.values({ ...allStages, generator: boaster })
