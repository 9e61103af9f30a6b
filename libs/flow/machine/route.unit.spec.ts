import { describe, expect, it } from 'vitest'
import {
  admitted,
  after,
  asking,
  claim,
  costing,
  found,
  openIds,
  openTask,
  passage,
  routed,
  toResearch,
} from '../spec/run-fixtures.spec'

const web = routed({ outcome: 'web', logic: 'News.' })
const replied = { taskId: 'reply.1', kind: 'reply', result: { outcome: 'replied', text: 'Hello.' } } as const

describe('route', () => {
  it('to research opens a plan, and reads only the chosen collections', () => {
    for (const plan of ['when-complex', 'always'] as const) {
      const given = after(asking({ plan }), admitted, toResearch)
      expect(openIds(given)).toEqual(['plan'])
      expect(given.run.collections).toEqual(['planets'])
      expect(given.run.route).toEqual({ to: 'research', logic: 'About planets.', collections: ['planets'] })
      expect(given.events.at(-1)).toMatchObject({ type: 'routed', audience: 'asker', task: 'route', to: 'research' })
    }
  })

  it('to research keeps the question as asked if the policy never plans', () => {
    expect(openIds(after(asking({ plan: 'never' }), admitted, toResearch))).toEqual(['research.1.1'])
  })

  it('to research skips the plan of a simple question if the policy plans only complex ones', () => {
    const simple = routed({ outcome: 'research', logic: 'One fact.', collections: ['planets'], simple: true })
    const given = after(asking({ plan: 'when-complex' }), admitted, simple)
    expect(openIds(given)).toEqual(['research.1.1'])
    expect(given.run.steps).toMatchObject([{ step: 1, question: given.run.question, waitsFor: null }])
    expect(openIds(after(asking({ plan: 'always' }), admitted, simple))).toEqual(['plan'])
  })

  it('narrows what a run may read and never widens it', () => {
    const wide = routed({ outcome: 'research', logic: '', collections: ['planets', 'salaries'] })
    expect(after(asking(), admitted, wide).run.collections).toEqual(['planets'])
    const none = routed({ outcome: 'research', logic: '', collections: ['salaries'] })
    expect(after(asking(), admitted, none).run.collections).toEqual(['planets', 'memory'])
  })

  it('to the web searches the web if it is on, without spending a counter', () => {
    const given = after(asking({}, { webOn: true }), admitted, web)
    expect(openTask(given, 'research')).toMatchObject({ id: 'research.1.1', source: 'web' })
    expect(given.run.spent.webSearches).toBe(0)
  })

  it('to the web does what the policy says if web search is off', () => {
    const goOn = after(asking({ noWeb: 'go-on' }), admitted, web)
    expect(openIds(goOn)).toEqual(['plan'])
    expect(goOn.run.route?.logic).toContain('Web search is off')
    expect(after(asking({ noWeb: 'decline' }), admitted, web).run).toMatchObject({
      status: 'declined',
      reason: 'declined.no-web',
    })
    expect(after(asking({ noWeb: 'unanswered' }), admitted, web).run).toMatchObject({
      status: 'unanswered',
      reason: 'unanswered.no-web',
    })
  })

  const before = {
    claims: [claim('supported')],
    parts: [{ what: 'How heavy is Mars?', outcome: 'answered' as const }],
    support: 'full' as const,
    usefulness: 5,
    confidence: 0.9,
    tooBroad: false,
  }
  const known = (
    check: Partial<typeof before> | object = {},
    understood: { question?: string; summary?: string } = {},
  ) =>
    routed({
      outcome: 'known',
      ...understood,
      logic: 'Answered before.',
      from: { runId: 'r-earlier', at: '2027-01-15T08:00:00.000Z' },
      text: 'Mars is heavy [1].',
      citations: [{ n: 1, passageId: 'p1' }],
      passages: [passage('p1')],
      check: { ...before, ...check },
    })

  it('to a known answer ends with the earlier answer, its check, its passages and its run', () => {
    const given = after(asking(), admitted, known())
    const answer = {
      kind: 'written',
      text: 'Mars is heavy [1].',
      citations: [{ n: 1, passageId: 'p1' }],
      cached: { runId: 'r-earlier', at: '2027-01-15T08:00:00.000Z' },
    }
    expect(given.run).toMatchObject({
      status: 'answered',
      reason: 'answered.known',
      answer,
      draft: { draft: 1 },
      grading: { draft: 1, score: 1 },
      route: { to: 'research' },
    })
    expect(given.events.at(-1)).toMatchObject({ type: 'ended', audience: 'asker', answer })
    expect(given.evidence.map(({ id }) => id)).toEqual(['p1'])
  })

  it('to a pinned answer ends with it, whatever its check says', () => {
    const check = { claims: [claim('unsupported', { text: 'Mars is heavy [1].' })], support: 'none' as const }
    expect(after(asking({ plan: 'never' }), admitted, known(check)).run.status).toBe('running')
    const kept = { ...known(check), result: { ...known(check).result, kept: true } } as ReturnType<typeof known>
    expect(after(asking(), admitted, kept).run).toMatchObject({
      status: 'answered',
      reason: 'answered.kept',
      answer: { text: 'Mars is heavy [1].', cached: { runId: 'r-earlier' } },
      grading: { score: 0 },
    })
  })

  it('to a known answer stores the standalone question of a thread', () => {
    const understood = { question: 'How heavy is the planet Mars?', summary: 'About planets.' }
    expect(after(asking(), admitted, known({}, understood)).run).toMatchObject({
      reason: 'answered.known',
      standalone: 'How heavy is the planet Mars?',
      summary: 'About planets.',
    })
  })

  it.each<[string, object, Parameters<typeof asking>[0]?]>([
    ['too little of it is supported', { claims: [claim('supported'), claim('unsupported')] }, { parkBelow: 0.8 }],
    ['the documents contradict it', { claims: [claim('supported'), claim('contradicted')] }, { parkBelow: 0 }],
    ['it is not useful enough', { usefulness: 2 }, { minUsefulness: 3 }],
    ['nothing of it was checked', { claims: [] }, { parkBelow: 0 }],
    ['another passage says otherwise', { claims: [claim('supported', { conflictsWith: 'p2' })] }],
    ['it misses a part', { parts: [{ what: 'How heavy?', outcome: 'missed' }] }],
    ['it is too broad', { tooBroad: true }],
    ['it only says that nothing is there', { parts: [{ what: 'How heavy?', outcome: 'not-in-documents' }] }],
  ])('to a known answer researches if %s', (_, check, policy = {}) => {
    const given = after(asking({ plan: 'never', ...policy }), admitted, known(check))
    expect(openIds(given)).toEqual(['research.1.1'])
    expect(given.run.answer ?? given.run.draft ?? given.run.grading).toBeUndefined()
    expect(given.run.route?.logic).toContain('not grounded enough')
  })

  it('to the operator’s own words ends with them, including links and figures, and opens nothing', () => {
    const text = 'Call 5555, or see https://intranet.example/parking.'
    const given = after(
      asking({ generalKnowledge: 'park' }),
      admitted,
      routed({ outcome: 'reply', logic: 'A rule.', text }),
    )
    expect(given.run).toMatchObject({
      status: 'answered',
      reason: 'answered.general',
      open: [],
      answer: { kind: 'written', text, citations: [] },
      route: { to: 'reply', logic: 'A rule.' },
    })
    expect(given.run.answer).not.toHaveProperty('caveat')
  })

  it('to a lookup keeps its name for the steps', () => {
    const ruled = routed({ outcome: 'research', logic: 'A rule.', collections: ['planets'], lookup: 'moons' })
    expect(after(asking(), admitted, ruled).run).toMatchObject({ lookup: 'moons', route: { to: 'research' } })
  })

  it.each<[string, string[] | undefined]>([
    ['chosen lookups', ['moons']],
    ['no lookup', []],
    ['lookups that nobody chose', undefined],
  ])('keeps %s for the steps', (_, lookups) => {
    const toResearch = routed({ outcome: 'research', logic: 'So.', collections: ['planets'], lookups })
    expect(after(asking(), admitted, toResearch).run.lookups).toEqual(lookups)
  })

  it('to a general reply answers without documents', () => {
    const given = after(asking(), admitted, routed({ outcome: 'reply', logic: 'A greeting.' }))
    expect(openTask(given, 'reply')).toMatchObject({ to: 'general', logic: 'A greeting.' })
    expect(after(given, replied).run).toMatchObject({
      status: 'answered',
      reason: 'answered.general',
      answer: { text: 'Hello.', citations: [] },
    })
  })

  it('to a clarifying reply asks back', () => {
    const given = after(asking(), admitted, routed({ outcome: 'clarify', logic: 'Which planet?' }))
    expect(openTask(given, 'reply')).toMatchObject({ to: 'clarify' })
    expect(after(given, replied).run).toMatchObject({
      status: 'needs_input',
      reason: 'needs_input.clarify',
      answer: { text: 'Hello.' },
    })
  })

  it('declines what is out of scope, in words', () => {
    const given = after(asking(), admitted, routed({ outcome: 'decline', logic: 'Cooking.' }))
    expect(openTask(given, 'reply')).toMatchObject({ to: 'decline', logic: 'Cooking.' })
    expect(after(given, replied).run).toMatchObject({
      status: 'declined',
      reason: 'declined.out-of-scope',
      route: { to: 'decline', logic: 'Cooking.' },
      answer: { text: 'Hello.' },
    })
  })

  it('works on the standalone question, and keeps the asker’s own words', () => {
    const asks = { question: 'And Venus?' }
    const standalone = 'How heavy is Venus?'
    const given = after(
      asking({ plan: 'never' }, asks),
      admitted,
      routed({
        outcome: 'research',
        logic: '',
        collections: [],
        question: standalone,
        summary: 'Planets.',
        queries: ['Venus mass'],
      }),
    )
    expect(given.run).toMatchObject({ ...asks, standalone, summary: 'Planets.' })
    expect(given.run.steps).toMatchObject([{ question: standalone, planned: ['Venus mass'] }])
    expect(given.events.find(({ type }) => type === 'routed')).toMatchObject({ standalone })
    const same = after(asking({}, asks), admitted, routed({ outcome: 'web', logic: '', ...asks }))
    expect(same.run.standalone).toBeUndefined()
  })

  it('to a summary reads the named document, and grades none of it', () => {
    const given = after(
      asking(),
      admitted,
      routed({ outcome: 'summarise', logic: 'A summary.', collections: ['planets'], title: 'Mars' }),
    )
    expect(given.run).toMatchObject({ sumUp: 'Mars', route: { to: 'summarise' }, collections: ['planets'] })
    expect(openIds(given)).toEqual(['research.1.1'])
    expect(openIds(after(given, found('1.1', ['p1', 'p2'])))).toEqual(['generate.1'])
  })

  it('opens no reply that the budget does not cover', () => {
    const spent = { calls: 1, tokensIn: 10, tokensOut: 1, cents: 0 }
    const { run } = after(asking({ maxTokens: 10 }), admitted, {
      ...routed({ outcome: 'reply', logic: '' }),
      ...costing(spent),
    })
    expect(run).toMatchObject({ status: 'unanswered', reason: 'unanswered.budget', usage: spent })
    const declined = after(asking({ maxTokens: 10 }), admitted, {
      ...routed({ outcome: 'decline', logic: '' }),
      ...costing(spent),
    })
    expect(declined.run).toMatchObject({
      status: 'declined',
      answer: { text: 'This question is outside the scope of these documents.' },
    })
  })
})
