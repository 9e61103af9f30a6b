import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { startModelServer } from '@plumbline/testing/model-server'
import type { ModelServer } from '@plumbline/testing/model-server'
import { answerContract } from './answer/answer.contract'
import { goodModel } from './asking/good-model.spec'
import { checkClaimsContract } from './check-claims/check-claims.contract'
import { computeContract } from './compute/compute.contract'
import { gradeEvidenceContract } from './grade-evidence/grade-evidence.contract'
import type { Skills } from './index'
import { modelSkills } from './llm'
import { planContract } from './plan/plan.contract'
import { rateUsefulnessContract } from './rate-usefulness/rate-usefulness.contract'
import { refineEvidenceContract } from './refine-evidence/refine-evidence.contract'
import { replyContract } from './reply/reply.contract'
import { rewriteQueryContract } from './rewrite-query/rewrite-query.contract'
import { routeContract } from './route/route.contract'
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
