import { Grade } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { dwellTime, harbours, history, pilots, shorePower } from '../skill/fixtures.spec'
import type { Call, GradeEvidence } from '../skill/skill'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }

export const gradeEvidenceContract = (label: string, gradeEvidence: () => GradeEvidence): void => {
  const grade = (question: string, passages = harbours, against: 'step' | 'query' = 'step') =>
    gradeEvidence()({ question, passages, strictness: 'normal', against }, call)

  describe(`gradeEvidence: ${label}`, () => {
    it('returns one grade for each passage, in order', async () => {
      const question = 'How long does boarding last for a harbour pilot?'
      const grades = await grade(question)
      expect(grades).toHaveLength(harbours.length)
      for (const each of grades) {
        expect(Grade.parse(each).reason).not.toBe('')
        if (!each.relevant) expect(each.level).toBe('low')
      }
      const turned = await grade(question, [...harbours].reverse())
      expect([grades[2]?.relevant, turned[1]?.relevant]).toEqual([true, true])
      expect(grades[2]?.level).toBe(turned[1]?.level)
    })

    it('rejects an unrelated passage that was found last', async () => {
      const grades = await grade('Why do pilots not work during storms?', [pilots, history, dwellTime, shorePower])
      expect(grades.map(({ relevant }) => relevant)).toMatchObject([true, expect.anything(), expect.anything(), false])
    })

    it('returns no grades without passages', async () => expect(await grade('Why?', [])).toEqual([]))

    it('stops when its signal aborts', async () => {
      const given = { question: 'q', strictness: 'normal', against: 'step' } as const
      await expect(
        gradeEvidence()({ ...given, passages: [pilots] }, { ...call, signal: AbortSignal.abort() }),
      ).rejects.toThrow()
    })
  })
}
