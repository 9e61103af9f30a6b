import type { Passage } from '@plumbline/contracts'
import type { Reranker } from '@plumbline/ports/reranker'
import { describe, expect, it } from 'vitest'
import { call } from '../eval/data'
import { crossEncoderGradeEvidence } from './grade-evidence.cross-encoder'

const passage = (text: string): Passage => ({
  id: text,
  documentId: 'd',
  collection: 'main',
  title: 'Stones',
  text,
  headingPath: [],
  position: 0,
})

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
  it('scores all passages of a question in one call, each with its own score, and tells the call', async () => {
    const { asked, grade } = byFigure()
    const told: string[] = []
    const given = { question: 'Which stone?', strictness: 'normal' as const }
    const grades = await Promise.all(
      ['0.9', '0.6', '0.1'].map((text) =>
        grade(
          { ...given, passage: passage(text) },
          { ...call, onCall: ({ skill, model }) => void told.push(`${skill} ${model}`) },
        ),
      ),
    )
    expect(grades.map(({ relevant, level }) => [relevant, level])).toEqual([
      [true, 'high'],
      [true, 'medium'],
      [false, 'low'],
    ])
    expect(asked).toEqual([{ query: 'Which stone?', documents: ['Stones\n0.9', 'Stones\n0.6', 'Stones\n0.1'] }])
    expect(told).toEqual(['gradeEvidence bge'])
  })

  it('asks for more where the policy is strict, and for less where it is lenient', async () => {
    const { grade } = byFigure()
    const relevant = async (strictness: 'lenient' | 'normal' | 'strict'): Promise<boolean> =>
      (await grade({ question: 'q', strictness, passage: passage('0.4') }, call)).relevant
    expect([await relevant('lenient'), await relevant('normal'), await relevant('strict')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('keeps questions apart, and fails for all of a call', async () => {
    const { asked, grade } = byFigure()
    await Promise.all(
      ['a', 'b'].map((question) => grade({ question, strictness: 'normal', passage: passage('0.9') }, call)),
    )
    expect(asked.map(({ query }) => query)).toEqual(['a', 'b'])
    const down = crossEncoderGradeEvidence({ name: 'down', rerank: () => Promise.reject(new Error('down')) })
    const both = await Promise.allSettled(
      [1, 2].map(() => down({ question: 'q', strictness: 'normal', passage: passage('x') }, call)),
    )
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('calls nothing irrelevant that was not scored', async () => {
    const grade = crossEncoderGradeEvidence({ name: 'some', rerank: () => Promise.resolve([{ index: 0, score: 0.9 }]) })
    const both = await Promise.allSettled(
      ['x', 'y'].map((text) => grade({ question: 'q', strictness: 'normal', passage: passage(text) }, call)),
    )
    expect(both).toMatchObject(
      [1, 2].map(() => ({ status: 'rejected', reason: { code: 'model.malformed', retry: 'never' } })),
    )
  })
})
