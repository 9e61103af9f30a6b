import { describe, expect, it } from 'vitest'
import { pilots, shorePower } from '../eval/harbours'
import type { Call } from '../skill'
import { gradeEvidenceContract } from './grade-evidence.contract'
import { offlineGradeEvidence } from './grade-evidence.offline'

gradeEvidenceContract('offline', () => offlineGradeEvidence)

const call: Call = { signal: new AbortController().signal, tier: 'small', temperature: 0 }

describe('grades', () => {
  it('are stricter when asked to be', async () => {
    const keeps = async (strictness: 'lenient' | 'normal' | 'strict') =>
      (
        await offlineGradeEvidence(
          { question: 'How are ships in calm weather painted by the crew?', passage: pilots, strictness },
          call,
        )
      ).relevant
    expect([await keeps('lenient'), await keeps('strict')]).toEqual([true, false])
  })
  it('tell a name from one that looks like it', async () => {
    const about = (title: string) => ({
      ...pilots,
      title,
      headingPath: [title],
      text: `${title} is a lighthouse built by the engineer Lund.`,
    })
    const sure = async (title: string): Promise<number> => {
      const { relevant, confidence } = await offlineGradeEvidence(
        { question: 'Which engineer built Cape Ren Light?', passage: about(title), strictness: 'normal' },
        call,
      )
      return relevant ? confidence : -confidence
    }
    expect(await sure('Cape Ren Light')).toBeGreaterThan(await sure('Cape Lindes Light'))
  })
  it('say which cell they found', async () => {
    const grade = await offlineGradeEvidence(
      { question: 'What was the SPU of New Corvey in 2022?', passage: shorePower, strictness: 'normal' },
      call,
    )
    expect(grade).toMatchObject({ relevant: true, level: 'high', reason: 'Its table holds New Corvey under 2022.' })
  })
  it('call a row without the year medium', async () => {
    const grade = await offlineGradeEvidence(
      { question: 'What was the SPU of New Corvey in 2017?', passage: shorePower, strictness: 'normal' },
      call,
    )
    expect(grade).toMatchObject({ relevant: true, level: 'medium' })
  })
  it('serve one part of a compound question', async () => {
    const question = 'What was the SPU of New Corvey in 2022? And which wine goes with fish?'
    expect((await offlineGradeEvidence({ question, passage: shorePower, strictness: 'strict' }, call)).level).toBe(
      'high',
    )
  })
})
