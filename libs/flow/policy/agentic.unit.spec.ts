import { describe, expect, it } from 'vitest'
import { evidenceFor } from '../machine'
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
  nothing,
  openIds,
  openTask,
  planned,
  triedWith,
  ungrounded,
} from '../spec/given.spec'
import { agentic } from './agentic'

const medium = { ...good, level: 'medium' } as const
const low = { ...good, level: 'low' } as const
const at = (...steps: string[]) => after(asking(agentic), admitted, planned(...steps))
const enough = { p1: good, p2: medium }
const written = () => after(at('a'), ...triedWith('1.1', enough), drafted(1))

describe('agentic', () => {
  it('decomposes first, without a router: k 6, each graded against its own query', () => {
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

  it('high and medium pass; fewer than two → rewritten, and each pass replaces what did not pass', () => {
    const given = after(at('a'), ...triedWith('1.1', { p1: good, p2: low, p3: bad }))
    expect(openTask(given, 'research')).toMatchObject({
      try: 2,
      failed: { passageIds: ['p2', 'p3'], reason: '1 of 3 passages passed, 2 needed.' },
    })
    const second = after(given, ...triedWith('1.2', { p4: good, p5: medium }))
    expect(evidenceFor(second.run, openTask(second, 'generate'))).toEqual(['p1', 'p4', 'p5'])
    expect(second.run.steps[0]?.evidence.map(({ id }) => id)).toEqual(['p1', 'p4', 'p5'])
  })

  it('the number it wants is settable', () =>
    expect(
      openIds(after(asking({ ...agentic, minRelevant: 1 }), admitted, planned('a'), ...triedWith('1.1', { p1: good }))),
    ).toEqual(['generate.1']))

  it('a single fact: one good passage is written from when nothing more is found beside it', () => {
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
      text: 'The places I found for “How heavy is Mars?” were all judged to be about something else. Searched in planets, memory with 4 queries, rewritten to narrow focus.',
      citations: [],
      nearest: ['p9'],
    })
  })

  it('with a policy that wants more than one it ends with what was tried', () =>
    expect(
      after(
        asking({ ...agentic, maxRewrites: 0, whenFew: 'fallback' }),
        admitted,
        planned('a'),
        ...triedWith('1.1', { p1: good }),
      ).run,
    ).toMatchObject({ status: 'unanswered', reason: 'unanswered.too-little-found' }))

  it('ungrounded → augmented with what is missing, and what stood stays', () => {
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
