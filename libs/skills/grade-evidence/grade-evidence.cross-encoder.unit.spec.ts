import type { Evidence } from '@plumbline/contracts'
import type { Reranker } from '@plumbline/ports/reranker'
import { describe, expect, it } from 'vitest'
import { crossEncoderGradeEvidence } from './grade-evidence.cross-encoder'

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
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

/** Scores a document by the figure that stands in it. */
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
  it('scores all passages in one call, grades them in their order, and tells the call', async () => {
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

  it('asks for more where the policy is strict, and for less where it is lenient', async () => {
    const { grade } = byFigure()
    const relevant = async (strictness: 'lenient' | 'normal' | 'strict') =>
      (await grade({ ...given, strictness, passages: [passage('0.4')] }, call)).map((each) => each.relevant)
    expect([await relevant('lenient'), await relevant('normal'), await relevant('strict')]).toEqual([
      [true],
      [false],
      [false],
    ])
  })

  it('scores against the query each was found for, where that is asked: one call for each query', async () => {
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

  it('fails where the cross-encoder does, and calls nothing irrelevant that was not scored', async () => {
    const down = crossEncoderGradeEvidence({ name: 'down', rerank: () => Promise.reject(new Error('down')) })
    await expect(down({ ...given, passages: [passage('x')] }, call)).rejects.toThrow('down')
    const some = crossEncoderGradeEvidence({ name: 'some', rerank: () => Promise.resolve([{ index: 0, score: 0.9 }]) })
    await expect(some({ ...given, passages: [passage('x'), passage('y')] }, call)).rejects.toMatchObject({
      code: 'model.malformed',
      retry: 'never',
    })
  })
})
