import { describe, expect, it } from 'vitest'
import { evidenceFor } from '..'
import {
  admitted,
  after,
  asking,
  bad,
  checked,
  drafted,
  found,
  good,
  graded,
  notes,
  nothing,
  openIds,
  openTask,
  planned,
  replied,
  routed,
  taken,
  toResearch,
  triedWith,
  ungrounded,
} from '../spec/run-fixtures.spec'
import { heldPolicy } from './policy'
import { agentic, selfReflective } from './presets'

const medium = { ...good, level: 'medium' } as const
const low = { ...good, level: 'low' } as const
const at = (...steps: string[]) => after(asking(agentic), admitted, planned(...steps))
const enough = { p1: good, p2: medium }
const written = () => after(at('a'), ...triedWith('1.1', enough), drafted(1))

describe('agentic', () => {
  it('decomposes without a router: k 6, each passage graded against its own query', () => {
    expect(openIds(after(asking(agentic), admitted))).toEqual(['plan'])
    expect(agentic).toMatchObject({ queriesPerStep: 0, perQuery: 6, gradeAgainst: 'query' })
  })

  it('merges two parallel steps', () => {
    const given = after(
      at('a', 'b'),
      found('1.1', ['p1', 'p2']),
      found('2.1', ['p3', 'p4']),
      graded('1.1', enough),
      graded('2.1', { p3: good, p4: good }),
    )
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p1', 'p2', 'p3', 'p4'])
  })

  it('accepts high and medium; with fewer than two it rewrites, and each try replaces the failed passages', () => {
    const given = after(at('a'), ...triedWith('1.1', { p1: good, p2: low, p3: bad }))
    expect(openTask(given, 'research')).toMatchObject({
      try: 2,
      failed: { passageIds: ['p2', 'p3'], reason: '1 of 3 passages passed; the policy requires 2.' },
    })
    const second = after(given, ...triedWith('1.2', { p4: good, p5: medium }))
    expect(evidenceFor(second.run, openTask(second, 'generate'))).toEqual(['p1', 'p4', 'p5'])
    expect(second.run.steps[0]?.evidence.map(({ id }) => id)).toEqual(['p1', 'p4', 'p5'])
  })

  it('has a setting for the number of passages it wants', () =>
    expect(
      openIds(after(asking({ ...agentic, minRelevant: 1 }), admitted, planned('a'), ...triedWith('1.1', { p1: good }))),
    ).toEqual(['generate.1']))

  it('writes a single fact from one good passage when nothing more is found', () => {
    const rewritten = after(at('a'), ...triedWith('1.1', { p1: good, p2: bad }))
    const again = after(rewritten, ...triedWith('1.2', { p3: bad }), ...triedWith('1.3', { p4: bad }), nothing('1.4'))
    expect(evidenceFor(again.run, openTask(again, 'generate'))).toEqual(['p1'])
    const same = after(rewritten, ...triedWith('1.2', { p2: bad }))
    expect(evidenceFor(same.run, openTask(same, 'generate'))).toEqual(['p1'])
    expect(same.run.spent.rewrites).toBe(1)
  })

  it('says whether nothing was found or all of it was about something else', () => {
    expect(after(at('a'), nothing('1.1'), nothing('1.2'), nothing('1.3'), nothing('1.4')).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.nothing-found',
      spent: { rewrites: 3 },
    })
    const other = after(at('a'), ...['1.1', '1.2', '1.3'].flatMap((n) => triedWith(n, { [`p${n}`]: bad })))
    const { run } = after(other, found('1.4', ['p9'], { strategy: 'narrow-focus' }), graded('1.4', { p9: low }))
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.all-irrelevant' })
    expect(run.answer).toEqual({
      kind: 'written',
      text: 'I found passages for “How heavy is Mars?”, but all of them are about something else. Searched in planets, memory with 4 queries, rewritten to narrow focus.',
      citations: [],
      nearest: ['p9'],
    })
  })

  it('lists what was tried if fewer passages pass than the policy wants', () =>
    expect(
      after(
        asking({ ...agentic, maxRewrites: 0, whenFew: 'fallback' }),
        admitted,
        planned('a'),
        ...triedWith('1.1', { p1: good }),
      ).run,
    ).toMatchObject({ status: 'unanswered', reason: 'unanswered.too-little-found' }))

  it('ungrounded → researched for the missing part, keeping supported sentences', () => {
    const given = after(written(), ungrounded(1))
    expect(openTask(given, 'research')).toMatchObject({
      id: 'research.1.2',
      failed: { reason: 'Not supported: A unsupported claim.' },
    })
    const more = after(given, ...triedWith('1.2', { p3: good }))
    expect(openTask(more, 'generate')).toMatchObject({ id: 'generate.2', keep: ['A supported claim.'] })
    expect(evidenceFor(more.run, openTask(more, 'generate'))).toEqual(['p1', 'p2', 'p3'])
    expect(after(more, drafted(2), checked(2)).run.reason).toBe('answered.checked')
  })

  it('one counter for rewriting and augmenting; spent → released with a caveat', () => {
    const rewritten = after(
      at('a'),
      nothing('1.1'),
      nothing('1.2'),
      ...triedWith('1.3', enough),
      drafted(1),
      ungrounded(1),
    )
    expect(rewritten.run.spent).toMatchObject({ rewrites: 2, augments: 1 })
    const { run } = after(rewritten, ...triedWith('1.4', { p3: good }), drafted(2), ungrounded(2))
    expect(run).toMatchObject({
      status: 'answered',
      reason: 'answered.with-caveat',
      answer: { caveat: expect.stringContaining('Not every statement') },
    })
  })
})

const memory = { question: 'How does agent memory work?' }
const inThread = {
  runId: 'r0',
  status: 'answered' as const,
  question: 'What is agent memory?',
  text: 'It is [1].',
  passageIds: ['p1', 'p2'],
}
const goOn = routed({ outcome: 'continue', logic: 'The last answer’s passages hold it.' })
const all = { p1: good, p2: good, p3: good, p4: good }
const writtenReflective = (ask = {}) => after(taken(selfReflective, ask), ...triedWith('1.1', all), drafted(1))

describe('self-reflective', () => {
  it('retrieve: yes → searches with k 4, no → a reply without documents', () => {
    expect(openIds(after(asking(selfReflective), admitted, toResearch))).toEqual(['research.1.1'])
    expect(selfReflective).toMatchObject({ routing: 'retrieve-or-not', queriesPerStep: 0, perQuery: 4 })
    const no = after(
      asking(selfReflective),
      admitted,
      routed({ outcome: 'reply', logic: 'Small talk.' }),
      replied('Hello.'),
    )
    expect(no.run).toMatchObject({ status: 'answered', reason: 'answered.general' })
  })

  it('retrieve: no, for a question without documents → general knowledge with a mark, or held if marks are not allowed', () => {
    const knowledge = routed({ outcome: 'reply', logic: 'Everybody knows.', knowledge: true })
    const told = after(asking(selfReflective), admitted, knowledge)
    expect(openTask(told, 'reply')).toMatchObject({ to: 'knowledge' })
    expect(after(told, replied('Water boils at 100 °C.', true)).run).toMatchObject({
      status: 'answered',
      reason: 'answered.unchecked',
      answer: { text: 'Water boils at 100 °C.', caveat: expect.stringContaining('no document was read') },
    })
    const kept = after(asking(heldPolicy(selfReflective)), admitted, knowledge, replied('Water boils at 100 °C.', true))
    expect(kept.run).toMatchObject({ status: 'parked', reason: 'parked.general' })
    expect(kept.run.answer).toBeUndefined()
  })

  it('writes a draft from each passage by itself', () => expect(selfReflective.drafts).toBe('per-passage'))

  it('retrieve: continue → uses the passages of the thread, graded for this question', () => {
    const given = after(asking(selfReflective, { inThread }), admitted, goOn)
    expect(openTask(given, 'research')).toMatchObject({ id: 'research.1.1', passageIds: ['p1', 'p2'] })
    expect(given.run.route?.to).toBe('continue')
    const poor = after(given, ...triedWith('1.1', { p1: bad, p2: bad }))
    expect(openTask(poor, 'research').passageIds).toBeUndefined()
    expect(openIds(poor)).toEqual(['research.1.2'])
  })

  it('retrieve: continue without a thread → searches', () => {
    for (const thread of [undefined, { ...inThread, passageIds: [] }]) {
      const given = after(asking(selfReflective, thread && { inThread: thread }), admitted, goOn)
      expect(openTask(given, 'research').passageIds).toBeUndefined()
      expect(given.run.route).toMatchObject({ to: 'research', logic: expect.stringContaining('has no passages') })
    }
  })

  it('any relevant passage → written from the relevant ones', () => {
    const given = after(taken(selfReflective), ...triedWith('1.1', { p1: bad, p2: good, p3: bad }))
    expect(evidenceFor(given.run, openTask(given, 'generate'))).toEqual(['p2'])
  })

  it('none relevant → rewritten and retrieved again, the new passages instead of the old', () => {
    const given = after(taken(selfReflective), ...triedWith('1.1', { p1: bad, p2: bad }))
    expect(openTask(given, 'research')).toMatchObject({ try: 2, source: 'index' })
    expect(after(given, ...triedWith('1.2', { p3: good })).run.steps[0]?.evidence.map(({ id }) => id)).toEqual(['p3'])
  })

  it('agent memory: 4 of 4 relevant, grounded, not useful → rewritten → 3 of 4 → passes', () => {
    const again = after(writtenReflective(memory), checked(1, { usefulness: 2 }))
    expect(openTask(again, 'research')).toMatchObject({
      id: 'research.1.2',
      source: 'index',
      failed: { reason: 'The usefulness is 2; the policy requires 3.' },
    })
    const second = after(again, ...triedWith('1.2', { p5: good, p6: good, p7: good, p8: bad }))
    expect(second.events.findLast(({ type }) => type === 'evidence-graded')).toMatchObject({ relevant: 3 })
    expect(after(second, drafted(2), checked(2, { usefulness: 5 })).run).toMatchObject({
      status: 'answered',
      reason: 'answered.checked',
      spent: { rewrites: 1 },
    })
  })

  it('not useful, and each new query finds the same passages → written again each time, until the rewrites are spent', () => {
    const same = (at: string) => found(at, Object.keys(all))
    const second = after(writtenReflective(memory), checked(1, { usefulness: 2 }), same('1.2'))
    expect(openIds(second)).toEqual(['generate.2'])
    const again = after(second, drafted(2), checked(2, { usefulness: 2 }))
    expect(openIds(again)).toEqual(['research.1.3'])
    const spent = after(
      ...([again, same('1.3'), drafted(3), checked(3, { usefulness: 2 }), same('1.4')] as const),
      ...[drafted(4), checked(4, { usefulness: 2 })],
    )
    expect(spent.run).toMatchObject({ reason: 'answered.incomplete', spent: { rewrites: 3 } })
  })

  it('partly or not supported → regenerated twice → parked', () => {
    const third = after(writtenReflective(), ungrounded(1), drafted(2), ungrounded(2), drafted(3))
    expect(third.run.spent.regenerations).toBe(2)
    expect(after(third, ungrounded(3)).run).toMatchObject({ status: 'parked', reason: 'parked.ungrounded' })
  })

  it('rewrites spent → the web if it is on, or else ends with what was tried', () => {
    const poor = (ask = {}) =>
      after(
        taken(selfReflective, ask),
        nothing('1.1', { strategy: 'expand-terms' }),
        nothing('1.2'),
        nothing('1.3'),
        nothing('1.4'),
      )
    expect(openTask(poor({ webOn: true }), 'research')).toMatchObject({ source: 'web' })
    const off = poor()
    expect(notes(off)).toEqual(['Web search is off, so step 1 is not searched there.'])
    expect(off.run).toMatchObject({ status: 'unanswered', reason: 'unanswered.nothing-found' })
    expect(off.run.answer?.text).toMatch(/with 4 queries, rewritten to expand terms\.$/)
  })

  it('not useful, rewrites spent, no web → released as incomplete, with a note', () => {
    const given = after(
      taken({ ...selfReflective, maxRewrites: 0 }),
      found('1.1', ['p1']),
      ...triedWith('1.1', { p1: good }).slice(1),
      drafted(1),
      checked(1, { usefulness: 1 }),
    )
    expect(given.run.reason).toBe('answered.incomplete')
    expect(notes(given)).toEqual(['Web search is off, so what is missing is not searched there.'])
  })
})
