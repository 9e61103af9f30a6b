import { describe, expect, it } from 'vitest'
import { dwellTime, history, pilots, shorePower } from '../eval/harbours'
import { gradeEvidenceContract } from './grade-evidence.contract'
import { offlineGradeEvidence } from './grade-evidence.offline'

gradeEvidenceContract('offline', () => offlineGradeEvidence)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
const passages = [shorePower, dwellTime, history, pilots]
const grade = (question: string, evidence = passages, against: 'step' | 'query' = 'step') =>
  offlineGradeEvidence({ question, passages: evidence, strictness: 'strict', against }, call)

describe('offline gradeEvidence', () => {
  it('never removes the first three, and the rest only where they share no word', async () => {
    const relevant = async (question: string) => (await grade(question)).map((each) => each.relevant)
    expect(await relevant('Which wine goes with fish?')).toEqual([true, true, true, false])
    expect(await relevant('Do dock pilots drink wine?')).toEqual([true, true, true, true])
  })

  it('tells how much of the question a passage holds', async () => {
    const [, , , held] = await grade('Pilots and storms')
    expect(held).toMatchObject({
      relevant: true,
      level: 'high',
      confidence: 1,
      reason: 'It holds 2 of 2 words of the question.',
    })
    expect(await grade('?', [pilots])).toMatchObject([{ relevant: true, level: 'medium', confidence: 0 }])
  })

  it('counts the words of the query a passage was found for, where that is asked', async () => {
    const found = { ...pilots, query: 'storms' }
    expect(await grade('Which wine?', [found], 'query')).toMatchObject([{ level: 'high', confidence: 1 }])
    expect(await grade('Which wine?', [found])).toMatchObject([{ level: 'medium', confidence: 0 }])
  })
})
