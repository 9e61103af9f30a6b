import { describe, expect, it } from 'vitest'
import type { Case, Claim } from '@plumbline/contracts'
import { policies, type Policy } from '@plumbline/flow'
import { passage } from '@plumbline/flow/spec/run-fixtures.spec'
import { offlineSkills } from '@plumbline/skills/offline'
import type { Skills } from '@plumbline/skills/skill/skill'
import { readArgs } from './args'
import { compare } from './compare'
import { replayCase, type ReplayOptions } from './replay'
import { tableOf } from './table'

const claim = (text: string, verdict: Claim['verdict']): Claim => ({
  text,
  kind: 'fact',
  verdict,
  reason: 'Because.',
  passageId: null,
})
const heavy = { ...passage('p1'), text: 'The lighthouse of Skerry is 31 metres high. It was lit in 1887.' }
const kept: Case = {
  id: 'k1',
  runId: 'r1',
  taskId: 'review.1',
  decisionId: 'd',
  question: 'How heavy is Mars?',
  policy: 'standard',
  collections: ['planets'],
  reason: 'parked.ungrounded',
  action: 'reject',
  by: 'rita',
  decider: 'reviewer',
  score: 0.5,
  decidedAt: '2026-11-22T10:00:00.000Z',
  policySettings: { name: 'standard' },
  prompts: [],
  steps: [
    { step: 1, question: 'How heavy is Mars?', waitsFor: null, passageIds: ['p1'] },
    { step: 2, question: 'What colour is it?', waitsFor: 1, passageIds: ['p2'] },
  ],
  tries: [],
  evidence: [heavy, passage('p2')],
  draft: {
    text: 'The lighthouse of Skerry is 31 metres high [1]. It stands in a forest of oaks [1].',
    citations: [{ n: 1, passageId: 'p1' }],
  },
  check: {
    claims: [
      claim('The lighthouse of Skerry is 31 metres high.', 'supported'),
      claim('It stands in a forest of oaks.', 'unsupported'),
    ],
    parts: [],
    support: 'partial',
    confidence: 1,
    tooBroad: false,
    score: 0.5,
  },
  askedAt: '2026-11-22T09:00:00.000Z',
  parkedAt: '2026-11-22T09:01:00.000Z',
}
const writing = (text: string): Skills => ({
  ...offlineSkills,
  answer: () => Promise.resolve({ kind: 'written', text, citations: [{ n: 1, passageId: 'p1' }] }),
})
const replaying = (more: Partial<ReplayOptions> = {}): ReplayOptions => ({
  policy: { ...(policies['standard'] as Policy), parkBelow: 1 },
  skills: offlineSkills,
  drafts: 'stored',
  signal: new AbortController().signal,
  ...more,
})
const change = async (of: Case, more: Partial<ReplayOptions> = {}): Promise<string> => {
  const by = replaying(more)
  return compare(of, await replayCase(of, by), by.drafts).change
}

describe('a replay', () => {
  it.each(Object.keys(policies))('of the stored draft reaches an end under %s', async (name) => {
    const policy = { ...policies[name], checkAnswer: 'on', parkBelow: 1, whenSpent: 'park' } as Policy
    const replayed = await replayCase(kept, replaying({ policy }))
    expect(replayed).toMatchObject({ status: 'parked', score: 0.5, text: kept.draft.text })
  })

  it('uses the passages of the case and no others, step by step', async () => {
    const seen: string[][] = []
    const skills: Skills = {
      ...offlineSkills,
      answer: ({ steps }) => {
        seen.push(...steps.map(({ passageIds }) => passageIds))
        return Promise.resolve({ kind: 'written', text: 'Red [1].', citations: [{ n: 1, passageId: 'p1' }] })
      },
    }
    await replayCase(kept, replaying({ skills, drafts: 'written' }))
    expect(seen.slice(0, 2)).toEqual([['p1'], ['p2']])
  })

  it('is the same where nothing has changed', async () => {
    expect(await change(kept)).toBe('same')
  })

  it('is better if a right draft is released now, and worse if a wrong one is', async () => {
    const right: Case = { ...kept, draft: { ...kept.draft, text: 'The lighthouse of Skerry is 31 metres high [1].' } }
    expect(await change({ ...right, action: 'approve' })).toBe('better')
    expect(await change({ ...right, action: 'reject' })).toBe('worse')
  })

  it('is worse where a draft that was right scores lower', async () => {
    expect(await change({ ...kept, action: 'approve', score: 0.9 })).toBe('worse')
    expect(await change({ ...kept, action: 'approve', score: 0.2 })).toBe('better')
    expect(await change({ ...kept, action: 'edit', score: 0.9 })).toBe('other')
  })

  it('of a new draft is better if it is grounded now, and worse if it is no better than the wrong one', async () => {
    const anew = (text: string) => change(kept, { skills: writing(text), drafts: 'written' })
    expect(await anew('The lighthouse of Skerry is 31 metres high [1].')).toBe('better')
    expect(await anew('It stands in a forest of oaks [1].')).toBe('worse')
    expect(await anew(kept.draft.text)).toBe('same')
  })

  it('names the verdicts that flipped, in a table and a count', async () => {
    const flipped: Case = {
      ...kept,
      score: 1,
      check: { ...kept.check!, score: 1, claims: [claim('It stands in a forest of oaks.', 'supported')] },
      action: 'approve',
    }
    const compared = compare(flipped, await replayCase(flipped, replaying()), 'stored')
    expect(compared.flips).toEqual([{ claim: 'It stands in a forest of oaks.', from: 'supported', to: 'unsupported' }])
    const table = tableOf([compared, { ...compared, change: 'same' }])
    expect(table.join('\n')).toContain('supported → unsupported: It stands in a forest of oaks.')
    expect(table.at(-1)).toBe('2 cases: 1 same, 0 better, 1 worse, 0 other.')
    expect(table[0]).toMatch(/^change +question +decision +outcome +score +flipped$/)
  })
})

describe('the command', () => {
  it('takes one file and its options, and says what it does not understand', () => {
    expect(readArgs(['cases.jsonl', '--offline', '--strict'], {})).toEqual({
      kind: 'replay',
      options: { file: 'cases.jsonl', offline: true, json: false, strict: true },
    })
    expect(readArgs(['--help'], {}).kind).toBe('help')
    for (const words of [[], ['a', 'b'], ['a', '--what']]) expect(readArgs(words, {}).kind).toBe('fault')
  })
})
