import type { ModelCall } from '@plumbline/contracts'
import type { SkillName } from '@plumbline/flow'
import { chatOverHttp } from '@plumbline/testing/chat-over-http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startModelServer } from '@plumbline/testing/model-server'
import type { ModelServer } from '@plumbline/testing/model-server'
import { answerContract } from './answer/answer.contract'
import { goodModel } from './asking/good-model.spec'
import { checkClaimsContract } from './check-claims/check-claims.contract'
import { computeContract } from './compute/compute.contract'
import { fillLookupContract } from './fill-lookup/fill-lookup.contract'
import { gradeEvidenceContract } from './grade-evidence/grade-evidence.contract'
import type { Skills } from './index'
import { callWith } from './asking/scripted.spec'
import { modelSkills } from './llm'
import { offlineSkills } from './offline'
import { planContract } from './plan/plan.contract'
import { rateUsefulnessContract } from './rate-usefulness/rate-usefulness.contract'
import { refineEvidenceContract } from './refine-evidence/refine-evidence.contract'
import { replyContract } from './reply/reply.contract'
import { rewriteQueryContract } from './rewrite-query/rewrite-query.contract'
import { routeContract } from './route/route.contract'
import { summariseContract } from './summarise/summarise.contract'
import { writeQueriesContract } from './write-queries/write-queries.contract'

let server: ModelServer
let skills: Skills
beforeAll(async () => {
  server = await startModelServer()
  const chat = goodModel(server)
  skills = modelSkills({ label: 'recorded', chatOf: (_, tier) => chat(tier) })
})
afterEach(() => expect(server.faults).toEqual([]))
afterAll(() => server.close())

routeContract('model', () => skills.route)
planContract('model', () => skills.plan)
writeQueriesContract('model', () => skills.writeQueries)
rewriteQueryContract('model', () => skills.rewriteQuery)
gradeEvidenceContract('model', () => skills.gradeEvidence)
refineEvidenceContract('model', () => skills.refineEvidence)
answerContract('model', () => skills.answer)
replyContract('model', () => skills.reply)
checkClaimsContract('model', () => skills.checkClaims)
rateUsefulnessContract('model', () => skills.rateUsefulness)
computeContract('model', () => skills.compute)
fillLookupContract('model', () => skills.fillLookup)
summariseContract('model', () => skills.summarise)

describe('a mixed set-up', () => {
  const question = 'What is the mass of Mars, and how many moons has it?'

  it('asks the model that is set for the skill at its tier, and no model where none is', async () => {
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
    expect(await mixed.plan({ question, maxSteps: 4 }, call('small'))).toEqual(
      await offlineSkills.plan({ question, maxSteps: 4 }, callWith()),
    )
    await mixed.writeQueries({ question, count: 1 }, call('strong'))
    expect(mixed.label).toBe('mixed')
    expect(asked).toEqual([
      ['plan', 'small'],
      ['writeQueries', 'strong'],
    ])
    expect(told).toMatchObject([{ skill: 'writeQueries', model: 'strong-model', prompt: 'write-queries@1' }])
  })

  it('is answered offline, skill by skill, where no provider is there, and says so', async () => {
    const gone = modelSkills({ label: 'gone', chatOf: () => chatOverHttp('http://127.0.0.1:9') })
    const told: ModelCall[] = []
    expect(await gone.plan({ question, maxSteps: 4 }, callWith({ onCall: (each) => void told.push(each) }))).toEqual(
      await offlineSkills.plan({ question, maxSteps: 4 }, callWith()),
    )
    expect(told).toMatchObject([{ skill: 'plan', model: 'offline', insteadBy: 'offline' }])
    await expect(gone.plan({ question, maxSteps: 4 }, callWith({ lastRung: 'none' }))).rejects.toMatchObject({
      code: 'provider.down',
    })
  })
})
