import type { Evidence } from '@plumbline/contracts'
import type { Reranker } from '@plumbline/ports/search-models'
import { answer } from '@plumbline/testing/model-server/answer'
import { wireForm } from '@plumbline/testing/scripted-model/wire-forms'
import { describe, expect, it } from 'vitest'
import { callWith, dwellTime, history, pilots, shorePower, useModel } from '../skill/fixtures.spec'
import type { GradeEvidence } from '../skill/skill'
import { gradeEvidenceContract } from './grade-evidence.contract'
import { crossEncoderGradeEvidence } from './grade-evidence.cross-encoder'
import { llmGradeEvidence } from './grade-evidence.llm'
import { offlineGradeEvidence } from './grade-evidence.offline'

gradeEvidenceContract('offline', () => offlineGradeEvidence)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const passages = [shorePower, dwellTime, history, pilots]
const grade = (question: string, evidence = passages, against: 'step' | 'query' = 'step') =>
  offlineGradeEvidence({ question, passages: evidence, strictness: 'strict', against }, call)

describe('offline gradeEvidence', () => {
  it('rejects only passages after the first three that share no word', async () => {
    const relevant = async (question: string) => (await grade(question)).map((each) => each.relevant)
    expect(await relevant('Which wine goes with fish?')).toEqual([true, true, true, false])
    expect(await relevant('Do dock pilots drink wine?')).toEqual([true, true, true, true])
  })

  it('states how many words of the question a passage contains', async () => {
    const [, , , held] = await grade('Pilots and storms')
    expect(held).toMatchObject({
      relevant: true,
      level: 'high',
      confidence: 1,
      reason: 'The passage contains 2 of 2 words of the question.',
    })
    expect(await grade('?', [pilots])).toMatchObject([{ relevant: true, level: 'medium', confidence: 0 }])
  })

  it('counts the words of the passage’s query if graded against queries', async () => {
    const found = { ...pilots, query: 'storms' }
    expect(await grade('Which wine?', [found], 'query')).toMatchObject([{ level: 'high', confidence: 1 }])
    expect(await grade('Which wine?', [found])).toMatchObject([{ level: 'medium', confidence: 0 }])
  })
})

const passage = (text: string, query?: string): Evidence => ({
  id: text,
  documentId: 'd',
  collection: 'main',
  title: 'Stones',
  text,
  headingPath: [],
  position: 0,
  scores: {},
  ...(query !== undefined && { query }),
})
const given = { question: 'Which stone?', strictness: 'normal', against: 'step' } as const

/** Opens a grader whose reranker uses the number in a document as its score. */
const byFigure = () => {
  const asked: { query: string; documents: string[] }[] = []
  const reranker: Reranker = {
    name: 'bge',
    rerank: (query, documents, topN, _signal, onCall) => {
      asked.push({ query, documents })
      onCall?.({ model: 'bge', usage: { calls: 1, tokensIn: 0, tokensOut: 0, cents: 0 } })
      const order = documents.map((document, index) => ({ index, score: Number(/0\.\d+/.exec(document)?.[0] ?? 0) }))
      return Promise.resolve(order.sort((a, b) => b.score - a.score).slice(0, topN))
    },
  }
  return { asked, grade: crossEncoderGradeEvidence(reranker) }
}

describe('evidence graded by a cross-encoder', () => {
  it('scores all passages in one call, grades them in order, and reports the call', async () => {
    const { asked, grade } = byFigure()
    const told: string[] = []
    const grades = await grade(
      { ...given, passages: [passage('0.1'), passage('0.9'), passage('0.6')] },
      { ...call, onCall: ({ skill, model }) => void told.push(`${skill} ${model}`) },
    )
    expect(grades.map(({ relevant, level }) => [relevant, level])).toEqual([
      [false, 'low'],
      [true, 'high'],
      [true, 'medium'],
    ])
    expect(asked).toEqual([{ query: 'Which stone?', documents: ['Stones\n0.1', 'Stones\n0.9', 'Stones\n0.6'] }])
    expect(told).toEqual(['gradeEvidence bge'])
  })

  it('requires a higher score if the policy is strict, and a lower one if it is lenient', async () => {
    const { grade } = byFigure()
    const relevant = async (strictness: 'lenient' | 'normal' | 'strict') =>
      (await grade({ ...given, strictness, passages: [passage('0.4')] }, call)).map((each) => each.relevant)
    expect([await relevant('lenient'), await relevant('normal'), await relevant('strict')]).toEqual([
      [true],
      [false],
      [false],
    ])
  })

  it('scores each passage against its own query if asked to, with one call for each query', async () => {
    const { asked, grade } = byFigure()
    const passages = [passage('0.9', 'hard stones'), passage('0.2', 'soft stones'), passage('0.8', 'hard stones')]
    const grades = await grade({ ...given, against: 'query', passages: [...passages, passage('0.7')] }, call)
    expect(grades.map(({ relevant }) => relevant)).toEqual([true, false, true, true])
    expect(asked.map(({ query, documents }) => [query, documents.length])).toEqual([
      ['hard stones', 2],
      ['soft stones', 1],
      ['Which stone?', 1],
    ])
  })

  it('fails if the cross-encoder fails or leaves a passage without a score', async () => {
    const down = crossEncoderGradeEvidence({ name: 'down', rerank: () => Promise.reject(new Error('down')) })
    await expect(down({ ...given, passages: [passage('x')] }, call)).rejects.toThrow('down')
    const some = crossEncoderGradeEvidence({ name: 'some', rerank: () => Promise.resolve([{ index: 0, score: 0.9 }]) })
    await expect(some({ ...given, passages: [passage('x'), passage('y')] }, call)).rejects.toMatchObject({
      code: 'model.malformed',
      retry: 'never',
    })
  })
})

const model = useModel()
const question = 'Who built the first quay?'
const graded = (fields: Partial<Parameters<GradeEvidence>[0]> = {}) =>
  llmGradeEvidence(model.chat, 12_000)(
    { question, passages: [history, pilots], strictness: 'normal', against: 'step', ...fields },
    callWith(),
  )
const good = { relevant: true, level: 'high', confidence: 0.9, reason: 'It states what is asked.' }
const irrelevant = { relevant: false, level: 'low', confidence: 0.9, reason: 'Nothing of quays.' }
const none = { relevant: false, reason: 'Nothing of quays.' }
type Said = [passage: number, fields: object]
const says = (...answers: Said[][]): void =>
  model
    .server()
    .script(
      'grade-evidence',
      ...answers.map((grades) =>
        answer.json(
          wireForm('grade-evidence', { grades: grades.map(([passage, fields]) => ({ passage, ...fields })) }),
        ),
      ),
    )

describe('grades by a model', () => {
  it('come from one call that names the relevant passages, with one line for all others', async () => {
    says([
      [2, none],
      [1, good],
    ])
    expect(await graded()).toEqual([good, irrelevant])
    const [shown, ...more] = model.shown()
    expect(more).toEqual([])
    expect(shown?.passages.map(({ n, body }) => [n, body])).toEqual([
      [1, history.text],
      [2, pilots.text],
    ])
    expect(shown?.one('passage 1')).toMatch(/^Document: Harbour report\nCollection: default\nSection: History\n\n/)
    expect(shown?.task).toMatch(/^Today is \w+, \d{4}-\d\d-\d\d\..* Choose among the passages 1, 2\.$/)
  })

  it('mark relevant passages as outdated, hearsay or sensitive', async () => {
    says([
      [1, { ...good, level: null, outdated: true, authority: 'low', sensitive: true }],
      [2, { ...none, outdated: true }],
    ])
    const medium = { level: 'medium', reason: 'It states a part of it, or what the answer needs.' }
    expect(await graded()).toEqual([
      { ...good, ...medium, outdated: true, authority: 'low', sensitive: true },
      irrelevant,
    ])
  })

  it('follow a prompt that states the strictness and the query of each passage', async () => {
    says([
      [1, good],
      [2, none],
    ])
    for (const strictness of ['lenient', 'normal', 'strict'] as const) await graded({ strictness })
    expect(new Set(model.shown().map(({ task }) => task)).size).toBe(3)
    expect(model.shown()[2]?.task).toMatch(/Be strict/)
    const passages = [{ ...history, query: 'quay builder' }, pilots]
    await graded({ against: 'query', passages })
    await graded({ passages })
    expect(model.shown().map((shown) => shown.one('query of 1'))).toEqual(['', '', '', 'quay builder', ''])
    expect(model.shown()[3]?.task).toContain('by that query')
  })

  it('are requested again if a passage is named twice or was not given', async () => {
    const said = (fields: object) =>
      answer.json({
        ...{ high: [1], medium: [], rest: null, outdated: [], lowAuthority: [], sensitive: [], confidence: 0.9 },
        ...fields,
      })
    model.server().script('grade-evidence', said({ medium: [1, 7] }), said({}))
    expect((await graded())[0]).toEqual(good)
    expect(model.sent()[1]?.at(-1)?.content).toContain('look at 1, 7.')
    model.server().script('grade-evidence', said({ confidence: 95 }), said({}))
    expect((await graded())[0]?.confidence).toBe(0.9)
  })

  it('are all irrelevant if the model refuses, and need no call without passages', async () => {
    model.server().script('grade-evidence', answer.refused('Not this.'))
    const reason = 'The model refused to grade it: Not this.'
    expect(await graded()).toEqual([
      { ...irrelevant, confidence: 0, reason },
      { ...irrelevant, confidence: 0, reason },
    ])
    expect(await graded({ passages: [] })).toEqual([])
    expect(model.sent()).toHaveLength(1)
  })
})
