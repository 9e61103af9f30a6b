import { describe, expect, it } from 'vitest'
import type { Passage } from '@plumbline/contracts'
import { Grade } from '@plumbline/contracts'
import { dwellTime, harbours, history, pilots, shorePower } from '../eval/harbours'
import type { Call } from '../skill'
import type { GradeEvidence } from './grade-evidence'

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }

/** What every implementation of `gradeEvidence` keeps to. */
export const gradeEvidenceContract = (label: string, gradeEvidence: () => GradeEvidence): void => {
  const grade = (question: string, passage: Passage) =>
    gradeEvidence()({ question, passage, strictness: 'normal' }, call)
  const relevant = async (question: string) => {
    const grades = await Promise.all(
      harbours.map(async (passage) => ({ id: passage.id, ...(await grade(question, passage)) })),
    )
    return grades.filter((each) => each.relevant).map(({ id }) => id)
  }

  describe(`gradeEvidence: ${label}`, () => {
    it('gives a level, a confidence and a reason', async () => {
      for (const passage of harbours) {
        const given = Grade.parse(await grade('What was the SPU of Aldwick in 2021?', passage))
        expect(given.reason).not.toBe('')
        if (!given.relevant) expect(given.level).toBe('low')
      }
    })

    it('keeps the table that holds the row, and no other', async () => {
      expect(await relevant('What was the SPU of Aldwick in 2021?')).toEqual([shorePower.id])
      expect(await relevant('What is the mean dwell time of New Corvey?')).toEqual([dwellTime.id])
      expect((await grade('What was the SPU of Aldwick in 2021?', shorePower)).level).toBe('high')
    })

    it('keeps the table that shows that nothing is reported', async () =>
      expect(await relevant('What was the SPU of Aldwick (east quay) in 2020?')).toContain(shorePower.id))

    it('drops the right measure of the wrong row', async () =>
      expect((await grade('What was the SPU of Farrow in 2021?', shorePower)).relevant).toBe(false))

    it('keeps what says that something is left out', async () =>
      expect((await grade('What is the mean dwell time of Dunmere?', dwellTime)).relevant).toBe(true))

    it('keeps prose that bears on a question and drops what does not', async () => {
      expect(await relevant('How long does boarding last for a harbour pilot?')).toEqual([pilots.id])
      expect(await relevant('Who built the first quay of Aldwick?')).toEqual([history.id])
      expect(await relevant('Which wine goes with fish?')).toEqual([])
    })

    it('stops when told to', async () => {
      const signal = AbortSignal.abort()
      await expect(
        gradeEvidence()({ question: 'q', passage: pilots, strictness: 'normal' }, { ...call, signal }),
      ).rejects.toThrow()
    })
  })
}
