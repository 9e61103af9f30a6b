import type { Evidence } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { dwellTime, harbours, history, shorePower } from '../eval/harbours'
import type { Answer, Call } from '../skill'
import { keepsToItsEvidence } from './drafted.contract'

const call: Call = { signal: new AbortController().signal, tier: 'strong', temperature: 0 }

/** What every implementation of `answer` keeps to, whether it writes or quotes. */
export const answerContract = (label: string, answer: () => Answer): void => {
  const ask = (question: string, evidence: Evidence[] = harbours, more: Partial<Parameters<Answer>[0]> = {}) => {
    const steps = [{ question, passageIds: evidence.map(({ id }) => id) }]
    return answer()({ question, steps, evidence, maxSentences: 6, ...more }, call)
  }

  describe(`answer: ${label}`, () => {
    it.each([
      'What was the SPU of Aldwick in 2021?',
      'What are the three kinds of pilots?',
      'Why do pilots not work during storms?',
      'Who painted the ceiling of the town hall?',
    ])('cites and quotes only what it was given: %s', async (question) => {
      const draft = await ask(question)
      expect(draft.kind).not.toBe('refused')
      keepsToItsEvidence(draft, harbours)
    })

    it('answers from the passages of several steps', async () => {
      const steps = [
        { question: 'Who built the first quay of Aldwick?', passageIds: [history.id] },
        { question: 'What is the mean dwell time of Aldwick?', passageIds: [dwellTime.id] },
      ]
      const evidence = [history, dwellTime]
      const draft = await ask('Who built the first quay of Aldwick, and what is its mean dwell time?', evidence, {
        steps,
      })
      keepsToItsEvidence(draft, evidence)
      expect(JSON.stringify(draft)).toMatch(/Maria Lund/)
      expect(JSON.stringify(draft)).toMatch(/31\.5/)
    })

    it('names no cell of another row or year', async () => {
      const draft = await ask('What was the SPU of Aldwick in 2021?', [shorePower])
      if (draft.kind !== 'written') throw new Error(`It is ${draft.kind}.`)
      expect(draft.text).toContain('14%')
      expect(draft.text).not.toMatch(/31|40|8%/)
    })

    it('writes nothing without evidence', async () =>
      expect(await ask('Who painted the ceiling?', [])).toMatchObject({ kind: 'refused' }))

    it('stops when told to', async () => {
      const given = { question: 'q', steps: [], evidence: harbours, maxSentences: 3 }
      await expect(answer()(given, { ...call, signal: AbortSignal.abort() })).rejects.toThrow()
    })
  })
}
