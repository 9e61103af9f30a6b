import { describe, expect, it } from 'vitest'
import { decisionsFor, evidenceFor } from '..'
import {
  admitted,
  after,
  asking,
  checked,
  decided,
  drafted,
  found,
  nothing,
  openIds,
  openTask,
  planned,
  replied,
  routed,
  toResearch,
  ungrounded,
} from '../spec/run-fixtures.spec'
import { heldPolicy, withLimits, Policy } from './policy'
import { adaptive, policies, policyByName, research } from './presets'
import { standard } from './standard'

describe('policies', () => {
  it('are whole records with their own name', () => {
    for (const [name, policy] of Object.entries(policies)) expect(Policy.parse(policy)).toEqual({ ...policy, name })
    expect(policyByName('standard')).toBe(standard)
    expect(policyByName('unknown')).toBeUndefined()
    expect(policyByName('constructor')).toBeUndefined()
  })

  it('have moves left for a reviewer after a standard run of twelve steps that spends every counter', () => {
    const { maxSteps, maxRewrites, maxWebSearches, maxRegenerations, maxAugments, maxMoves } = standard
    const all =
      2 + 2 * (maxSteps + maxRewrites + maxWebSearches + maxAugments) + 2 * (1 + maxRegenerations + maxAugments)
    expect(maxMoves - all).toBeGreaterThanOrEqual(10)
  })

  it('ask small models to grade and plan, strong ones to rewrite, answer and check', () => {
    const at = (tier: 'small' | 'strong', temperature: number) => ({ tier, temperature })
    for (const policy of Object.values(policies)) {
      const { gradeEvidence, plan, rewriteQuery, answer, check } = policy.skills
      expect([gradeEvidence, plan, rewriteQuery, answer]).toEqual([
        at('small', 0),
        at('small', 0),
        at('strong', 0.3),
        at('strong', 0.1),
      ])
      expect(check).toEqual(at(policy.name === 'research' ? 'small' : 'strong', 0))
    }
  })

  it('have the moves for their plan and for every counter, and some for a reviewer', () => {
    for (const {
      name,
      maxSteps,
      maxRewrites,
      maxWebSearches,
      maxRegenerations,
      maxAugments,
      counters,
      maxShared,
      maxMoves,
    } of Object.values(policies)) {
      const tries = counters === 'shared' ? maxShared : maxRewrites + maxWebSearches + maxRegenerations + maxAugments
      expect(maxMoves - (2 + 2 * maxSteps + 4 * tries + 2), name).toBeGreaterThanOrEqual(8)
    }
  })

  it('let an asker lower a limit and never raise one', () => {
    const limits = {
      rewrites: 1,
      webSearches: 0,
      regenerations: 0,
      augments: 0,
      steps: 2,
      moves: 20,
      tokens: 1_000,
      cents: 5,
    }
    expect(withLimits(standard, limits)).toEqual({
      ...standard,
      maxRewrites: 1,
      maxWebSearches: 0,
      maxRegenerations: 0,
      maxAugments: 0,
      maxSteps: 2,
      maxMoves: 20,
      maxTokens: 1_000,
      maxCents: 5,
    })
    expect(withLimits(standard, { rewrites: 99, steps: 12, moves: 9_999 })).toEqual(standard)
    expect(withLimits(standard, {})).toEqual(standard)
  })

  it('let an asker lower the common limit of shared counters', () => {
    expect(withLimits(adaptive, { retries: 1 })).toEqual({ ...adaptive, maxShared: 1 })
    expect(withLimits(adaptive, { retries: 9 })).toEqual(adaptive)
  })

  it('release nothing weaker than parking when held, and are otherwise unchanged', () => {
    const weak = {
      checkAnswer: 'off',
      parkBelow: 0.5,
      whenSpent: 'mark',
      whenParkedTooLong: 'caveat',
      streamDrafts: 'on',
      generalKnowledge: 'mark',
      replies: 'own-words',
    } as const
    const strong = {
      checkAnswer: 'on',
      parkBelow: 1,
      whenSpent: 'park',
      whenParkedTooLong: 'refuse',
      streamDrafts: 'off',
      generalKnowledge: 'park',
      replies: 'fixed',
    } as const
    expect(heldPolicy({ ...standard, ...weak })).toEqual({ ...standard, ...strong })
    expect(heldPolicy({ ...standard, whenSpent: 'caveat' }).whenSpent).toBe('park')
    expect(heldPolicy({ ...standard, whenSpent: 'fallback' }).whenSpent).toBe('fallback')
    expect(heldPolicy(standard).generalKnowledge).toBe('off')
  })
})

const written = () =>
  after(
    asking(research),
    admitted,
    toResearch,
    planned('a', 'b'),
    found('1.1', ['p1']),
    found('2.1', ['p2']),
    drafted(1),
  )

describe('research', () => {
  it('routes three ways: in scope, more information wanted, general', () => {
    expect(openIds(after(asking(research), admitted, toResearch))).toEqual(['plan'])
    const vague = after(asking(research), admitted, routed({ outcome: 'clarify', logic: 'Which site?' }))
    expect(openTask(vague, 'reply')).toMatchObject({ to: 'clarify', logic: 'Which site?' })
    const hello = after(
      asking(research),
      admitted,
      routed({ outcome: 'reply', logic: 'A greeting.' }),
      replied('Hello.'),
    )
    expect(hello.run).toMatchObject({ status: 'answered', reason: 'answered.general' })
    const weather = after(
      asking(research),
      admitted,
      routed({ outcome: 'decline', logic: 'The weather in Altamura.' }),
      replied('I cannot tell the weather.'),
    )
    expect(weather.run.reason).toBe('declined.out-of-scope')
  })

  it('plans simple questions too, and searches two written queries beside each step’s own', () => {
    const simple = routed({ outcome: 'research', logic: 'One fact.', collections: ['planets'], simple: true })
    expect(openIds(after(asking(research), admitted, simple))).toEqual(['plan'])
    expect(research).toMatchObject({ queriesPerStep: 2, perQuery: 2, atLeast: 0 })
  })

  it('merges two parallel steps in any order, and grades no evidence', () => {
    const given = after(asking(research), admitted, toResearch, planned('a', 'b'), found('2.1', ['p2', 'p3']))
    expect(openIds(given)).toEqual(['research.1.1'])
    const both = after(given, found('1.1', ['p1', 'p2']))
    expect(evidenceFor(both.run, openTask(both, 'generate'))).toEqual(['p1', 'p2', 'p3'])
  })

  it('a step that finds nothing is not tried again', () =>
    expect(
      openIds(after(asking(research), admitted, toResearch, planned('a', 'b'), nothing('1.1'), found('2.1', ['p2']))),
    ).toEqual(['generate.1']))

  it('ungrounded → the asker retries only the writing, or ends the run', () => {
    const held = after(written(), ungrounded(1))
    expect(held.run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded', open: [{ decider: 'asker' }] })
    expect(decisionsFor(held.run)).toEqual(['retry', 'reject'])
    const again = after(held, decided(1, { outcome: 'retry' }))
    expect(openIds(again)).toEqual(['generate.2'])
    expect(after(again, drafted(2), checked(2)).run).toMatchObject({ status: 'answered', reason: 'answered.checked' })
    expect(after(held, decided(1, { outcome: 'rejected' })).run.status).toBe('rejected')
  })

  it('says that a value is not reported: Dublin 2019', () => {
    const absent = { claims: [], parts: [{ what: 'PUE of Dublin in 2019', outcome: 'not-in-documents' as const }] }
    expect(after(written(), checked(1, absent)).run.reason).toBe('unanswered.not-in-documents')
  })

  it('routes with its strong model and checks with its small one, unlike the other policies', () => {
    expect([research.skills.route.tier, research.skills.check.tier]).toEqual(['strong', 'small'])
    expect([standard.skills.route.tier, standard.skills.check.tier]).toEqual(['small', 'strong'])
  })
})
