import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { answerPrompt } from './answer/answer.prompt'
import type { Prompt } from './asking/prompt'
import { messagesFor, promptName } from './asking/prompt'
import { checkClaimsPrompt } from './check-claims/check-claims.prompt'
import { computePrompt } from './compute/compute.prompt'
import { harbours, pilots } from './eval/harbours'
import { gradeEvidencePrompt } from './grade-evidence/grade-evidence.prompt'
import { planPrompt } from './plan/plan.prompt'
import { rateUsefulnessPrompt } from './rate-usefulness/rate-usefulness.prompt'
import { refineEvidencePrompt } from './refine-evidence/refine-evidence.prompt'
import { stripsOf } from './refine-evidence/strips'
import { replyPrompt } from './reply/reply.prompt'
import { rewriteQueryPrompt } from './rewrite-query/rewrite-query.prompt'
import { routePrompt } from './route/route.prompt'
import { writeQueriesPrompt } from './write-queries/write-queries.prompt'

const question = 'How long does boarding last?'
const collections = [{ name: 'harbours', description: 'Harbours of the north.' }]
const claims = [
  {
    text: 'Boarding lasts 30 minutes.',
    kind: 'number',
    verdict: 'supported',
    reason: 'It says so.',
    passageId: 'pilots',
  } as const,
]
const workings = [
  { what: 'Twice', formula: 'a * 2', inputs: [{ name: 'a', value: 2, passageId: 'pilots' }], result: 4, unit: 'h' },
]
const steps = [
  { question, passageIds: ['pilots'] },
  { question: 'Why?', passageIds: [] },
]
const grade = {
  relevant: true,
  level: 'high',
  confidence: 1,
  reason: '',
  date: '2020',
  outdated: true,
  authority: 'low',
} as const
const answering = {
  question,
  steps,
  evidence: [{ ...pilots, grade }, ...harbours],
  maxSentences: 3,
  keep: ['Ships have pilots.'],
  avoid: [...claims],
  guidance: 'Be brief.',
  workings,
}

const written = <In>(prompt: Prompt<In>, ...inputs: In[]): [string, string] => [
  promptName(prompt),
  createHash('sha256')
    .update(JSON.stringify(inputs.map((input) => messagesFor(prompt, input))))
    .digest('hex')
    .slice(0, 8),
]
const routing = { question, collections, webOn: true, thread: { question: 'Who boards?', text: 'Pilots [1].' } }

/** Every prompt as it is sent. One that reads differently is another version: raise it in its file, then pin it here. */
const sent = Object.fromEntries([
  written(routePrompt('scope'), routing, { ...routing, webOn: false }),
  written(routePrompt('index-or-web'), routing),
  written(routePrompt('retrieve-or-not'), routing),
  written(planPrompt, { question, maxSteps: 4 }),
  written(writeQueriesPrompt, { question, count: 1 }, { question, count: 2 }),
  written(rewriteQueryPrompt, {
    question,
    triedQueries: ['boarding'],
    failedPassages: ['Soup.'],
    reason: 'Nothing was found.',
  }),
  written(
    gradeEvidencePrompt,
    ...(['lenient', 'normal', 'strict'] as const).map((strictness) => ({
      question,
      passage: pilots,
      strictness,
      today: '2026-01-01',
    })),
  ),
  written(refineEvidencePrompt, { question, passage: pilots, strips: stripsOf(pilots.text) }),
  written(answerPrompt, answering),
  written(
    replyPrompt,
    ...(['general', 'clarify'] as const).map((to) => ({ question, to, logic: 'Small talk.', collections })),
  ),
  written(
    checkClaimsPrompt,
    ...(['what is said', 'what is not said'] as const).map((about) => ({
      question,
      claims: ['One.', 'Two.'],
      passages: [pilots],
      workings,
      about,
    })),
  ),
  written(rateUsefulnessPrompt, { question, steps: [question, 'Why?'], claims: [...claims], evidence: harbours }),
  written(computePrompt, { question, evidence: harbours }),
])

describe('prompts', () => {
  it('are of the version under which the ledger names them', () =>
    expect(sent).toEqual({
      'answer@1': '8bd1291b',
      'check-claims@1': '29790d05',
      'compute@1': '4bfcd49b',
      'grade-evidence@1': '46e8eff8',
      'plan@1': '7adb3107',
      'rate-usefulness@1': 'cc147058',
      'refine-evidence@1': 'f3f02f71',
      'reply@1': '9b640d49',
      'rewrite-query@1': '934154c4',
      'route-index-or-web@1': 'a6e546c2',
      'route-retrieve-or-not@1': 'b37c55e2',
      'route@1': '55c879b1',
      'write-queries@1': 'fd1d9331',
    }))

  it('hold nothing of a question or a document in their instructions', () => {
    const [system] = messagesFor(answerPrompt, answering)
    expect(system?.content).toBe(
      messagesFor(answerPrompt, { question: '', steps: [], evidence: [], maxSentences: 1 })[0]?.content,
    )
  })
})
