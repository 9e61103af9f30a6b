import { describe, expect, it } from 'vitest'
import { advance, start } from '../machine'
import type { Policy } from '../policy/policy'
import { anyReport, picks } from '../spec/any.spec'
import { asked, checked, movedBy, parked, reportOf } from '../spec/given.spec'
import { Run } from './run'

/** As the first version stored it, word for word: fields that came later are not in it. */
const stored = `{"id":"r0a1b2c3d4e5f6g7h8i9j0k1l","tenant":"default","lane":"main","question":"How heavy is Mars?","policy":{"name":"standard",
"entry":"route","plan":"when-complex","maxSteps":12,"queriesPerStep":2,"gradeEvidence":"on","strictness":"normal","passLevel":"low","minRelevant":1,
"poorWhen":"too-few","keepEvidence":"unite","whenPoor":"rewrite-then-web","webQuery":"rewritten","gradeWeb":"on","noWeb":"go-on","whenNothing":"generate",
"refineEvidence":"off","maxSentences":8,"checkAnswer":"on","parkBelow":1,"whenUngrounded":"regenerate-then-augment","minUsefulness":3,
"whenNotUseful":"rewrite-then-web","whenTooBroad":"release","counters":"separate","maxRewrites":3,"maxWebSearches":2,"maxRegenerations":1,"maxAugments":1,
"maxShared":7,"whenSpent":"park","decider":"reviewer","parkMs":259200000,"whenParkedTooLong":"refuse","streamDrafts":"off","maxMoves":64,
"maxTokens":400000,"maxCents":200,"deadlineMs":600000,"skills":{"route":{"tier":"small","temperature":0},"plan":{"tier":"strong","temperature":0},
"writeQueries":{"tier":"small","temperature":0.3},"rewriteQuery":{"tier":"small","temperature":0.3},"gradeEvidence":{"tier":"small","temperature":0},
"refineEvidence":{"tier":"small","temperature":0},"answer":{"tier":"strong","temperature":0.2},"reply":{"tier":"small","temperature":0.3},
"checkClaims":{"tier":"strong","temperature":0},"rateUsefulness":{"tier":"strong","temperature":0}}},"collections":["planets"],"webOn":false,
"createdAt":1800000000000,"deadlineAt":1800000600000,"status":"running","open":[{"id":"grade-answer.1","kind":"grade-answer","openedAt":1800000005000,"draft":1}],
"closed":{"admit":"admitted","route":"research","plan":"planned","research.1.1":"found","grade-evidence.1.1":"graded","generate.1":"drafted"},
"route":{"to":"research","logic":"About planets.","collections":["planets"]},"steps":[{"step":1,"question":"How heavy is Mars?","waitsFor":null,
"status":"done","try":1,"source":"index","queries":["How heavy is Mars?"],"evidence":[{"id":"p1","documentId":"d1","title":"Mars","scores":{"fused":0.5},
"grade":{"relevant":true,"level":"high","confidence":0.9,"reason":"It says so."}}]}],"draft":{"draft":1,"text":"0.642 × 10^24 kg [1].",
"citations":[{"n":1,"passageId":"p1"}]},"spent":{"moves":5,"rewrites":0,"webSearches":0,"regenerations":0,"augments":0},
"usage":{"calls":0,"tokensIn":0,"tokensOut":0,"cents":0}}`

describe('a stored run', () => {
  it('of the first shape still parses and still moves', () => {
    const run = Run.parse(JSON.parse(stored))
    const { run: next } = movedBy(advance(run, reportOf(run, checked(1), 1_800_000_006_000)))
    expect(next).toMatchObject({
      status: 'answered',
      movedAt: 1_800_000_006_000,
      answer: { text: '0.642 × 10^24 kg [1].' },
    })
  })

  it('means what it meant: what its policy lacks is what there was before the field', () => {
    const older = Run.parse(JSON.parse(stored)).policy
    const spelled: Policy = {
      ...older,
      routing: 'scope',
      depth: 'fixed',
      gradeAgainst: 'step',
      whenFew: 'go-on',
      drafts: 'one',
      sensitiveSources: 0,
    }
    for (let seed = 0; seed < 200; seed += 1) {
      const pick = picks(seed)
      let [a, b] = [older, spelled].map((policy) => start({ ...asked, webOn: seed % 2 === 0 }, policy).run) as [
        Run,
        Run,
      ]
      while (a.open.length > 0) {
        const report = anyReport(a.open[pick(a.open.length)]!, a, pick)
        const [nextA, nextB] = [advance(a, report), advance(b, report)]
        expect(nextB.kind).toBe(nextA.kind)
        if (nextA.kind === 'moved' && nextB.kind === 'moved') [a, b] = [nextA.run, nextB.run]
        expect({ ...b, policy: null }).toEqual({ ...a, policy: null })
      }
    }
  })

  it('is the run: nothing is lost on the way to the store and back', () => {
    const { run } = parked()
    expect(Run.parse(JSON.parse(JSON.stringify(run)))).toEqual(run)
  })
})
