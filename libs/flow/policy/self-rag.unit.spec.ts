import { describe, expect, it } from 'vitest'
import { questionOf } from '../map/run'
import { evidenceFor } from '../machine'
import {
  after,
  asking,
  bad,
  checked,
  claim,
  drafted,
  found,
  good,
  nothing,
  notes,
  openIds,
  openTask,
  replied,
  taken,
  triedWith,
  ungrounded,
} from '../spec/given.spec'
import { selfRag } from './self-rag'

const webOn = { webOn: true }
const two = { p1: good, p2: good }
const written = () => after(taken(selfRag, webOn), ...triedWith('1.1', two), drafted(1))

describe('self-rag', () => {
  it('a technical comparison: two relevant passages → written from the documents', () =>
    expect(openIds(after(taken(selfRag, webOn), ...triedWith('1.1', { ...two, p3: bad })))).toEqual(['generate.1']))

  it('a recent event: fewer than two relevant → the web, ungraded, beside what was relevant', () => {
    const given = after(taken(selfRag, webOn), ...triedWith('1.1', { p1: good, p2: bad }))
    expect(openTask(given, 'research')).toMatchObject({ source: 'web' })
    const joined = after(given, found('1.2', ['w1'], { source: 'web' }))
    expect(evidenceFor(joined.run, openTask(joined, 'generate'))).toEqual(['p1', 'w1'])
  })

  it('a misleading claim: the draft that repeats it is contradicted → regenerated, corrected with its source', () => {
    const again = after(
      written(),
      ungrounded(1, claim('contradicted', { text: 'Mars has four moons.', passageId: 'p1' })),
    )
    expect(openTask(again, 'generate')).toMatchObject({
      avoid: [{ text: 'Mars has four moons.', verdict: 'contradicted' }],
    })
    expect(after(again, drafted(2), checked(2)).run.reason).toBe('answered.checked')
  })

  it('not useful → the web, with other words each time', () => {
    const first = after(written(), checked(1, { usefulness: 2 }))
    expect(openTask(first, 'research')).toMatchObject({ source: 'web' })
    const second = after(first, found('1.2', ['w1'], { source: 'web' }), drafted(2), checked(2, { usefulness: 2 }))
    expect(openTask(second, 'research')).toMatchObject({ id: 'research.1.3', source: 'web' })
    expect(selfRag.webQuery).toBe('rewritten')
  })

  it('at most three of all; spent → parked', () => {
    const spent = after(
      written(),
      ungrounded(1),
      drafted(2),
      checked(2, { usefulness: 1 }),
      found('1.2', ['w1'], { source: 'web' }),
      drafted(3),
      ungrounded(3),
      drafted(4),
      ungrounded(4),
    )
    expect(spent.run).toMatchObject({
      status: 'parked',
      reason: 'parked.ungrounded',
      spent: { regenerations: 2, webSearches: 1 },
    })
  })

  it('an ambiguous ask: the checked general answer and one question; what comes next stands by itself', () => {
    const asks = after(written(), checked(1, { tooBroad: true }))
    expect(openTask(asks, 'reply')).toMatchObject({ to: 'narrow' })
    const { run } = after(asks, replied('Which planet do you mean?'))
    expect(run).toMatchObject({
      status: 'needs_input',
      reason: 'needs_input.too-broad',
      answer: { text: 'Draft 1 [1].', question: 'Which planet do you mean?' },
    })
    const inThread = {
      runId: run.id,
      status: run.status,
      question: questionOf(run),
      text: 'Draft 1 [1].',
      passageIds: ['p1'],
    }
    const next = after(asking(selfRag, { question: 'How heavy is Mars?', inThread }), {
      taskId: 'admit',
      kind: 'admit',
      result: { outcome: 'admitted' },
    })
    expect(next.run.steps).toMatchObject([{ question: 'How heavy is Mars?' }])
  })

  it('without web search it goes on with the one relevant passage, with a note, and ends where there is none', () => {
    const one = after(taken(selfRag), ...triedWith('1.1', { p1: good, p2: bad }))
    expect([openIds(one), notes(one)]).toEqual([['generate.1'], ['Web search is off: step 1 is not looked up there.']])
    expect(after(taken(selfRag), nothing('1.1')).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.no-web',
    })
  })
})
