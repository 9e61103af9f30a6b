import { describe, expect, it } from 'vitest'
import { type Claim, clean, type ReviewView, type RunView, type StreamEvent } from '@plumbline/contracts'
import { runLines } from './answer'
import { choicesOf, draftLines, readChoice } from './draft'
import { eventNarrator, tracer } from './narrate'
import { colored, paintFor, plain, sourceTitle, wrap } from './text'

const screen = { paint: plain, width: 80 }
const claim = (text: string, verdict: Claim['verdict'], reason = 'the table says so'): Claim => ({
  text,
  kind: 'number',
  verdict,
  reason,
  passageId: 'p1',
})
const citation = {
  n: 1,
  passageId: 'p1',
  documentId: 'd1',
  title: 'The planets',
  headingPath: ['The planets', 'Orbits'],
  text: '…',
}
const view = (over: Partial<RunView>): RunView => ({
  id: 'r1',
  status: 'answered',
  question: 'q',
  policy: 'standard',
  skills: 'offline',
  plan: { steps: [] },
  queriesAttempted: 1,
  rewrites: 0,
  documentsUsed: [],
  usage: { calls: 0, tokensIn: 0, tokensOut: 0, cents: 0 },
  timings: { createdAt: '', deadlineAt: '', totalMs: 420 },
  ...over,
})

describe('text on a terminal', () => {
  it('drops what would steer the terminal', () => {
    expect(clean('a\x1b[2Jb\x07c\u202ed')).toBe('abcd')
  })
  it('wraps at words, counts no colours, and leaves table rows whole', () => {
    expect(wrap('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrap(`${colored.bad('one')} two three`, 8)).toHaveLength(2)
    expect(wrap('| a long row of a table | 1 |', 8)).toHaveLength(1)
  })
  it('names a title that is also the first heading once', () => {
    expect(sourceTitle({ title: 'The planets', headingPath: ['The planets', 'Moons'] })).toBe('The planets › Moons')
  })
  it('paints only for a person who did not refuse it', () => {
    expect(paintFor({ isTTY: true }, {}).bad('x')).not.toBe('x')
    for (const dull of [
      paintFor({}, {}),
      paintFor({ isTTY: true }, { NO_COLOR: '1' }),
      paintFor({ isTTY: true }, { TERM: 'dumb' }),
    ])
      expect(dull.bad('x')).toBe('x')
  })
})

describe('a run told while it happens', () => {
  const tell = eventNarrator(screen)
  const event = (of: Record<string, unknown>) => ({ audience: 'asker', at: 1, ...of }) as unknown as StreamEvent

  it('tells the route, the plan with what waits for what, and each search', () => {
    expect(
      tell(event({ type: 'routed', to: 'research', logic: 'about planets', collections: ['sample'] })).join('\n'),
    ).toContain('research in the documents: sample (about planets)')
    const plan = tell(
      event({
        type: 'planned',
        logic: '',
        steps: [
          { question: 'Which planet?', waitsFor: null },
          { question: 'Its period?', waitsFor: 1 },
        ],
      }),
    )
    expect(plan.join('\n')).toMatch(/2 steps\n.*1 {2}Which planet\?\n.*2 {2}Its period\? {2}\(after 1\)/)
    expect(tell(event({ type: 'researched', step: 1, try: 2, source: 'index', found: 0 })).join('')).toContain(
      'step 1.2   nothing found',
    )
  })

  it('tells how a follow-up was understood, and that a document is summed up', () => {
    const routed = { type: 'routed', logic: '', collections: ['sample'] }
    expect(tell(event({ ...routed, to: 'research', standalone: 'How many moons had Saturn in 2023?' }))).toEqual([
      '  route      research in the documents: sample',
      '             understood as “How many moons had Saturn in 2023?”',
    ])
    expect(tell(event({ ...routed, to: 'summarise' }))).toEqual(['  route      summarize a document: sample'])
  })

  it('tells nothing of an early search and draft, because the regular search follows', () => {
    const early = { step: 1, try: 0, source: 'index' }
    expect(tell(event({ type: 'step-opened', ...early, question: 'Which planet?' }))).toEqual([])
    const narrate = eventNarrator(screen)
    expect(narrate(event({ type: 'researched', ...early, found: 8 }))).toEqual([])
    const writing = event({ type: 'writing', draft: 1 })
    expect(narrate(writing)).toEqual([])
    narrate(event({ type: 'routed', to: 'research', logic: '', collections: [] }))
    expect(narrate(writing)).toEqual(['  writing    draft 1'])
  })

  it('tells what a step that waited asks for, once it is filled in', () => {
    const bridge = eventNarrator(screen)
    const step = { step: 2, try: 1 }
    expect(
      bridge(event({ type: 'step-opened', ...step, question: 'Its period, of #1?', source: 'index' })).join(''),
    ).toContain('Its period, of (answer 1)?')
    const searched = {
      type: 'queried',
      ...step,
      queries: ['Its period, of Saturn?'],
      passages: [{ title: 'The planets' }, { title: 'The planets' }],
    }
    expect(bridge(event(searched)).map((line) => line.trim())).toEqual([
      'searched for “Its period, of Saturn?”',
      'in The planets',
    ])
    expect(bridge(event({ ...searched, step: 3 })).map((line) => line.trim())).toEqual(['in The planets'])
  })

  it('tells what a run does differently, to everyone', () => {
    expect(
      tell(event({ type: 'noted', note: 'Web search is off, so step 1 is not searched there.' })).join(''),
    ).toContain('note       Web search is off')
    expect(tell(event({ type: 'refused-by-model', audience: 'desk', reason: 'Not this.' }))).toEqual([])
  })

  it('tells a verdict and what is missing', () => {
    const told = tell(
      event({
        type: 'answer-graded',
        claims: [claim('a', 'supported'), claim('b', 'unsupported')],
        parts: [{ what: 'the mass', outcome: 'not-in-documents' }],
      }),
    )
    expect(told.join('\n')).toContain('1 of 2 claims supported')
    expect(told.join('\n')).toContain('not in the documents: the mass')
  })

  it('traces a decision a line, with its reason and the title of the passage', () => {
    const trace = tracer(screen)
    trace(event({ type: 'asked', question: 'q', policy: 'standard' }))
    trace(
      event({
        type: 'queried',
        at: 21,
        step: 1,
        try: 1,
        queries: ['titan'],
        passages: [{ id: 'p1', title: 'The planets', scores: { rerank: 0.5 } }],
      }),
    )
    const [grade, overall] = trace(
      event({
        type: 'evidence-graded',
        at: 31,
        step: 1,
        try: 1,
        overall: 'correct',
        relevant: 1,
        grades: [{ passageId: 'p1', relevant: true, level: 'high', confidence: 0.9, reason: 'names Titan' }],
      }),
    )
    expect(grade).toBe('   0.030 s  grade    step 1.1 relevant high 0.90 p1 The planets — names Titan')
    expect(overall).toContain('correct: 1 of 1 relevant')
    const quotes = [{ n: 1, passageId: 'p1', text: 'Titan is a moon\nof Saturn.', marks: [] }]
    expect(trace(event({ type: 'drafted', at: 41, draft: 1, text: '', citations: [], quotes }))).toEqual([
      '   0.040 s  quote    draft 1 [1] p1 The planets "Titan is a moon of Saturn."',
    ])
    const [route, understood] = trace(
      event({ type: 'routed', at: 51, to: 'research', logic: '', collections: [], standalone: 'And Saturn?' }),
    )
    expect([route, understood]).toEqual([
      '   0.050 s  route    research',
      '   0.050 s  route    understood as "And Saturn?"',
    ])
    const unrated = { claims: [], parts: [], score: 1, support: 'full', confidence: 1 }
    expect(trace(event({ type: 'answer-graded', at: 61, draft: 1, ...unrated })).join('')).toContain(
      'usefulness not rated',
    )
  })
})

describe('how a run ended', () => {
  it('shows the answer, then its sources, then the facts', () => {
    const shown = runLines(
      view({
        reason: 'answered.checked',
        answer: { kind: 'written', text: 'It takes 10,747 days [1].', citations: [citation] },
        grounding: { score: 1, claims: [claim('x', 'supported')] },
      }),
      screen,
    )
    expect(shown).toEqual([
      '',
      'It takes 10,747 days [1].',
      '',
      'Sources',
      '  [1] The planets › Orbits',
      '',
      '1 of 1 claim supported · standard · offline · 0.42 s · r1',
    ])
  })
  it('names the file and the page to open, and where on it', () => {
    const shown = (over: object) =>
      runLines(view({ answer: { kind: 'written', text: 'So [1].', citations: [{ ...citation, ...over }] } }), screen)[4]
    expect(shown({ file: 'reports/water.pdf', page: 7, headingPath: ['Water', 'Replenishment'] })).toBe(
      '  [1] reports/water.pdf, page 7 · Water › Replenishment',
    )
    expect(shown({ file: 'notes.txt', headingPath: [], date: '2024-06-30' })).toBe(
      '  [1] notes.txt · The planets  2024-06-30',
    )
    expect(shown({ page: 3 })).toBe('  [1] The planets › Orbits, page 3')
  })
  it('asks back after the answer', () => {
    const shown = runLines(
      view({
        status: 'needs_input',
        answer: { kind: 'written', text: 'Broadly, it depends [1].', question: 'Which planet?', citations: [citation] },
      }),
      screen,
    )
    expect(shown.indexOf('Which planet?')).toBeGreaterThan(shown.indexOf('Broadly, it depends [1].'))
    expect(shown.indexOf('Which planet?')).toBeLessThan(shown.indexOf('Sources'))
  })
  it('puts a caveat first', () => {
    const shown = runLines(
      view({ answer: { kind: 'written', text: 'Maybe.', caveat: 'Not every claim stands.', citations: [] } }),
      screen,
    )
    expect(shown.indexOf('Not every claim stands.')).toBeLessThan(shown.indexOf('Maybe.'))
  })
  it('says what an end without an answer means, and why', () => {
    expect(runLines(view({ status: 'rejected', reason: 'rejected.decided' }), screen)[1]).toContain(
      'a person rejected it',
    )
    expect(runLines(view({ status: 'failed', reason: 'failed.of-a-newer-version' }), screen)[1]).toContain(
      'failed (failed.of-a-newer-version)',
    )
  })
})

describe('a held draft', () => {
  const review = {
    runId: 'r1',
    taskId: 'review.1',
    decider: 'reviewer',
    reason: 'ungrounded',
    score: 0.5,
    run: view({ status: 'parked' }),
    draft: { draft: 1, text: 'Saturn has Titan [1]. It takes 12,000 days [1].', citations: [citation] },
    claims: [
      claim('Saturn has Titan', 'supported'),
      claim('It takes 12,000 days', 'contradicted', 'the row says 10,747'),
    ],
    parts: [],
    evidence: [{ ...citation, id: 'p1', collection: 'sample', position: 0, scores: {} }],
    trace: [],
  } as unknown as ReviewView

  it('marks unsupported claims, with reason and source', () => {
    const shown = draftLines(review, screen).join('\n')
    expect(shown).toContain('1 claim not supported, score 0.50')
    expect(shown).toContain('Saturn has Titan [1]. It takes 12,000 days ✗1 [1].')
    expect(shown).toContain('contradicted: the row says 10,747 (The planets › Orbits)')
  })
  it('of quotes shows each place once', () => {
    const held = { ...citation, text: 'Titan is a moon of Saturn.', marks: [] }
    const draft = { draft: 1, text: `The planets [1]\n\n${held.text}`, citations: [citation], quotes: [held] }
    const shown = draftLines({ ...review, claims: [], draft }, screen)
    expect(shown.filter((line) => line.includes(held.text))).toEqual([`    ${held.text}`])
    expect(shown).toContain('[1] The planets › Orbits')
  })
  it('offers an asker no release', () => {
    expect(choicesOf('asker')).toEqual(['retry', 'guide', 'end'])
    expect(readChoice('a', choicesOf('asker'))).toBeNull()
  })
  it('reads a choice, with its guidance', () => {
    const from = choicesOf('reviewer')
    expect(readChoice(' Y ', from)).toEqual({ choice: 'retry' })
    expect(readChoice('g look at the table', from)).toEqual({ choice: 'guide', text: 'look at the table' })
    expect(readChoice('approve', from)).toEqual({ choice: 'approve' })
    expect(readChoice('a the table is old', from)).toEqual({ choice: 'approve', text: 'the table is old' })
    expect(readChoice('yes please', from)).toBeNull()
    expect(readChoice('', from)).toBeNull()
  })
})
