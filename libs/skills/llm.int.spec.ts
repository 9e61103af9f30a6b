import type { ModelCall } from '@plumbline/contracts'
import type { SkillName } from '@plumbline/flow'
import { chatOverHttp } from '@plumbline/testing/chat-over-http'
import { type ModelServer, startModelServer } from '@plumbline/testing/model-server/model-server'
import { plainModel } from '@plumbline/testing/scripted-model/plain-model'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answerContract, shortAnswerContract } from './answer/answer.contract'
import { checkContract } from './check/check.contract'
import { fillLookupContract } from './fill-lookup/fill-lookup.contract'
import { gradeEvidenceContract } from './grade-evidence/grade-evidence.contract'
import { modelSkills } from './llm'
import { offlineSkills } from './offline'
import { planContract } from './plan/plan.contract'
import { refineEvidenceContract } from './refine-evidence/refine-evidence.contract'
import { replyContract } from './reply/reply.contract'
import { retryQueryContract } from './retry-query/retry-query.contract'
import { routeContract } from './route/route.contract'
import { standaloneQuestionContract } from './route/standalone-question.contract'
import { callWith, pilots } from './skill/fixtures.spec'
import type { Skills } from './skill/skill'
import { summariseContract } from './summarise/summarise.contract'

let server: ModelServer
let skills: Skills
beforeAll(async () => {
  server = await startModelServer()
  server.script(() => true, plainModel)
  skills = modelSkills({ label: 'recorded', chatOf: () => chatOverHttp(server.openaiUrl) })
})
afterEach(() => expect(server.faults).toEqual([]))
afterAll(() => server.close())

routeContract('model', () => skills.route)
standaloneQuestionContract('model', () => skills.standaloneQuestion)
planContract('model', () => skills.plan)
retryQueryContract('model', () => skills.rewriteQuery)
gradeEvidenceContract('model', () => skills.gradeEvidence)
refineEvidenceContract('model', () => skills.refineEvidence)
answerContract('model', () => skills.answer)
shortAnswerContract('model', () => skills.shortAnswer)
replyContract('model', () => skills.reply)
checkContract('model', () => skills.check)
fillLookupContract('model', () => skills.fillLookup)
summariseContract('model', () => skills.summarise)

describe('a mixed set-up', () => {
  const question = 'What is the mass of Mars, and how many moons has it?'
  const planning = { question, collections: [], maxSteps: 4, queries: 0 }

  it('asks the model set for the skill and tier, and no model if none is set', async () => {
    const asked: [SkillName, string][] = []
    const mixed = modelSkills({
      label: 'mixed',
      chatOf: (skill, tier) => {
        asked.push([skill, tier])
        return skill === 'plan' ? 'offline' : chatOverHttp(server.openaiUrl, `${tier}-model`)
      },
    })
    const told: ModelCall[] = []
    const call = (tier: 'small' | 'strong') => callWith({ tier, onCall: (each) => void told.push(each) })
    expect(await mixed.plan(planning, call('small'))).toEqual(await offlineSkills.plan(planning, callWith()))
    await mixed.shortAnswer({ question, evidence: [pilots] }, call('strong'))
    expect(mixed.label).toBe('mixed')
    expect(asked).toEqual([
      ['plan', 'small'],
      ['answer', 'strong'],
    ])
    expect(told).toMatchObject([{ skill: 'answer', model: 'strong-model', prompt: 'short-answer@1' }])
  })

  it('limits the length of every answer', async () => {
    expect(server.calls('chat').length).toBeGreaterThan(0)
    for (const { body } of server.calls('chat')) expect(body).toMatchObject({ max_tokens: expect.any(Number) })
  })

  it('shows at most the configured amount of evidence', async () => {
    const small = modelSkills({ label: 'small', chatOf: () => chatOverHttp(server.openaiUrl), evidenceTokens: 50 })
    const long = { ...pilots, text: pilots.text.repeat(9) }
    await small.shortAnswer({ question: 'What of the ladder?', evidence: [long] }, callWith())
    const sent = JSON.stringify(server.calls('chat').at(-1)?.body)
    expect(sent).toContain('ladder')
    expect(sent.length).toBeLessThan(3_000)
  })

  describe('without a provider', () => {
    const gone = modelSkills({ label: 'gone', chatOf: () => chatOverHttp('http://127.0.0.1:9') })

    it('answers each skill offline, and reports it', async () => {
      const told: ModelCall[] = []
      expect(await gone.plan(planning, callWith({ onCall: (each) => void told.push(each) }))).toEqual(
        await offlineSkills.plan(planning, callWith()),
      )
      expect(told).toMatchObject([{ skill: 'plan', model: 'offline', insteadBy: 'offline' }])
      await expect(gone.plan(planning, callWith({ lastRung: 'none' }))).rejects.toMatchObject({ code: 'provider.down' })
    })

    it('only quotes, and marks the quotes as degraded', async () => {
      const asked = { question: 'What of the ladder?', steps: [], evidence: [pilots], maxSentences: 3 }
      expect(await gone.answer(asked, callWith())).toMatchObject({
        ...{ kind: 'quoted', degraded: true },
        quotes: [{ passageId: pilots.id, text: expect.stringContaining('ladder') }],
      })
      await expect(gone.answer(asked, callWith({ lastRung: 'none' }))).rejects.toMatchObject({ code: 'provider.down' })
    })
  })
})
