import type { ModelCall } from '@plumbline/contracts'
import type { SkillName } from '@plumbline/flow'
import { chatOverHttp } from '@plumbline/testing/chat-over-http'
import type { ModelServer } from '@plumbline/testing/model-server'
import { startModelServer } from '@plumbline/testing/model-server'
import { plainModel } from '@plumbline/testing/scripted-model'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answerContract } from './answer/answer.contract'
import { shortAnswerContract } from './answer/short-answer.contract'
import { checkContract } from './check/check.contract'
import { fillLookupContract } from './fill-lookup/fill-lookup.contract'
import { gradeEvidenceContract } from './grade-evidence/grade-evidence.contract'
import { modelSkills } from './llm'
import { offlineSkills } from './offline'
import { planContract } from './plan/plan.contract'
import { refineEvidenceContract } from './refine-evidence/refine-evidence.contract'
import { replyContract } from './reply/reply.contract'
import { rewriteQueryContract } from './rewrite-query/rewrite-query.contract'
import { routeContract } from './route/route.contract'
import type { Call, Skills } from './skill'
import { summariseContract } from './summarise/summarise.contract'

let server: ModelServer
let skills: Skills
beforeAll(async () => {
  server = await startModelServer()
  server.script({ kind: 'chat' }, plainModel)
  skills = modelSkills({ label: 'recorded', chatOf: (_, tier) => chatOverHttp(server.openaiUrl, `${tier}-model`) })
})
afterEach(() => expect(server.faults).toEqual([]))
afterAll(() => server.close())

routeContract('model', () => skills.route)
planContract('model', () => skills.plan)
rewriteQueryContract('model', () => skills.rewriteQuery)
gradeEvidenceContract('model', () => skills.gradeEvidence)
refineEvidenceContract('model', () => skills.refineEvidence)
answerContract('model', () => skills.answer)
shortAnswerContract('model', () => skills.shortAnswer)
replyContract('model', () => skills.reply)
checkContract('model', () => skills.check)
fillLookupContract('model', () => skills.fillLookup)
summariseContract('model', () => skills.summarise)

describe('a mixed set-up', () => {
  const asked = { question: 'What is Mars, and how many moons has it?', collections: [], maxSteps: 4, queries: 1 }
  const callWith = (fields: Partial<Call> = {}): Call => ({
    signal: new AbortController().signal,
    tier: 'small',
    temperature: 0,
    ...fields,
  })

  it('asks the model that is set for the skill at its tier, and no model where none is', async () => {
    const chosen: [SkillName, string][] = []
    const mixed = modelSkills({
      label: 'mixed',
      chatOf: (skill, tier) => {
        chosen.push([skill, tier])
        return skill === 'plan' ? 'offline' : chatOverHttp(server.openaiUrl, `${tier}-model`)
      },
    })
    const told: ModelCall[] = []
    const call = (tier: 'small' | 'strong') => callWith({ tier, onCall: (each) => void told.push(each) })
    expect(await mixed.plan(asked, call('small'))).toEqual(await offlineSkills.plan(asked, callWith()))
    await mixed.reply({ question: 'Hello', to: 'general', logic: 'A greeting.', collections: [] }, call('strong'))
    expect(mixed.label).toBe('mixed')
    expect(chosen).toEqual([
      ['plan', 'small'],
      ['reply', 'strong'],
    ])
    expect(told).toMatchObject([{ skill: 'reply', model: 'strong-model' }])
  })

  it('is answered offline, skill by skill, where no provider is there, and says so', async () => {
    const gone = modelSkills({ label: 'gone', chatOf: () => chatOverHttp('http://127.0.0.1:9') })
    const told: ModelCall[] = []
    expect(await gone.plan(asked, callWith({ onCall: (each) => void told.push(each) }))).toEqual(
      await offlineSkills.plan(asked, callWith()),
    )
    expect(told).toMatchObject([{ skill: 'plan', model: 'offline', insteadBy: 'offline' }])
    await expect(gone.plan(asked, callWith({ lastRung: 'none' }))).rejects.toMatchObject({ code: 'provider.down' })
  })

  it('writes nothing where the writer is gone: the closest places are quoted, marked as degraded', async () => {
    const gone = modelSkills({ label: 'gone', chatOf: () => chatOverHttp('http://127.0.0.1:9') })
    const text = 'Mars has two moons.'
    const evidence = { id: 'p', documentId: 'd', collection: 'c', title: 'Mars', text, headingPath: [], position: 0 }
    const draft = await gone.answer(
      { question: 'Has Mars moons?', steps: [], evidence: [{ ...evidence, scores: {} }], maxSentences: 3 },
      callWith(),
    )
    expect(draft).toMatchObject({ kind: 'quoted', degraded: true, quotes: [{ passageId: 'p', text }] })
  })
})
