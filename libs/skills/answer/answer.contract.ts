import type { Evidence } from '@plumbline/contracts'
import { piecesOf } from '@plumbline/knowledge/claims/pieces'
import { describe, expect, it } from 'vitest'
import { dwellTime, harbours, history, shorePower } from '../skill/fixtures.spec'
import type { Answer, Call, Distant, Drafted, ShortAnswer } from '../skill/skill'

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const keepsToItsEvidence = (draft: Drafted | Distant, evidence: readonly Evidence[]): void => {
  const given = new Map(evidence.map((passage) => [passage.id, flat(passage.text)]))
  if (draft.kind === 'refused') expect(draft.reason).not.toBe('')
  if (draft.kind === 'written') {
    const cited = new Map(draft.citations.map(({ n, passageId }) => [n, passageId]))
    expect(draft.text.trim()).not.toBe('')
    for (const { text, marks } of piecesOf(draft.text)) {
      expect(marks.length, text).toBeGreaterThan(0)
      for (const n of marks) expect([...given.keys()]).toContain(cited.get(n))
    }
  }
  const quotes = draft.kind === 'refused' || draft.kind === 'distant' ? [] : (draft.quotes ?? [])
  if (draft.kind === 'quoted') expect(quotes.length).toBeGreaterThan(0)
  for (const { passageId, text, marks } of quotes) {
    for (const line of text.split(/…|\n/)) expect(given.get(passageId)).toContain(flat(line))
    for (const [from, to] of marks) expect(text.slice(from, to)).toMatch(/^\S(?:.*\S)?$/su)
  }
}

const call: Call = { signal: new AbortController().signal, tier: 'strong', temperature: 0 }

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
    ])('cites and quotes only given passages: %s', async (question) => {
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

    it('stops when its signal aborts', async () => {
      const given = { question: 'q', steps: [], evidence: harbours, maxSentences: 3 }
      await expect(answer()(given, { ...call, signal: AbortSignal.abort() })).rejects.toThrow()
    })
  })
}

export const shortAnswerContract = (label: string, shortAnswer: () => ShortAnswer): void => {
  describe(`shortAnswer: ${label}`, () => {
    it('returns words of the evidence in one line', async () => {
      const found = await shortAnswer()(
        { question: 'What is the mean dwell time of Aldwick?', evidence: [dwellTime] },
        call,
      )
      expect(found).not.toBeNull()
      expect(dwellTime.text).toContain(found)
      expect(found).not.toMatch(/\n/)
    })

    it('returns null without evidence', async () =>
      expect(
        await shortAnswer()({ question: 'What is the mean dwell time of Aldwick?', evidence: [] }, call),
      ).toBeNull())

    it('stops when its signal aborts', async () => {
      const aborted = { ...call, signal: AbortSignal.abort() }
      await expect(shortAnswer()({ question: 'q', evidence: [shorePower] }, aborted)).rejects.toThrow()
    })
  })
}
