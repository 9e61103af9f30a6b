import { describe, expect, it } from 'vitest'
import { sentences } from '@plumbline/knowledge/text'
import { harbours, history, shorePower } from '../eval/harbours'
import type { Call } from '../skill'
import type { Answer } from './answer'

const call: Call = { signal: new AbortController().signal, tier: 'strong', temperature: 0 }
type Input = Partial<Parameters<Answer>[0]>

/** What every implementation of `answer` keeps to. */
export const answerContract = (label: string, answer: () => Answer): void => {
  const ask = (question: string, input: Input = {}) => {
    const evidence = input.evidence ?? harbours
    const steps = [{ question, passageIds: evidence.map(({ id }) => id) }]
    return answer()({ question, steps, evidence, maxSentences: 6, ...input }, call)
  }

  describe(`answer: ${label}`, () => {
    it('ends every sentence with citations of passages it was given', async () => {
      const { text, citations } = await ask('What was the SPU of Aldwick in 2021, and how long does boarding last?')
      expect(text).toMatch(/14\s?%/)
      expect(text).toMatch(/20–30 minutes/)
      for (const sentence of sentences(text)) {
        const marks = Array.from(sentence.matchAll(/\[(\d+)\]/g), (match) => Number(match[1]))
        expect(sentence).toMatch(/\[\d+\][.!]?$/)
        for (const n of marks)
          expect(harbours.map(({ id }) => id)).toContain(citations.find((each) => each.n === n)?.passageId)
      }
    })

    it('says what the documents do not report, and puts no neighbour in its place', async () => {
      const { text } = await ask('What was the SPU of Aldwick (east quay) in 2020?')
      expect(text).toMatch(/not (?:reported|given|stated)|no value/i)
      expect(text).not.toMatch(/12\s?%|31\s?%/)
      const absent = await ask('What was the SPU of Farrow in 2021?')
      expect(absent.text).toMatch(/not|no value/i)
      expect(absent.text).not.toMatch(/\d+\s?%/)
    })

    it('invents nothing where nothing answers, and nothing without evidence', async () => {
      const beside = await ask('Who painted the ceiling of the town hall?', { evidence: [shorePower] })
      expect(beside.text).toMatch(/\bnot\b|\bno\b/i)
      const without = await ask('Who painted the ceiling of the town hall?', { evidence: [] })
      expect(without.text.trim()).not.toBe('')
      expect(without.citations).toEqual([])
    })

    it('keeps to its number of sentences', async () => {
      const { text } = await ask('What was the SPU of Aldwick, Brenholm and New Corvey in 2020, 2021 and 2022?', {
        maxSentences: 3,
      })
      expect(sentences(text).length).toBeLessThanOrEqual(3)
    })

    it('puts what is to be kept first, word for word', async () => {
      const { text } = await ask('Who built the first quay of Aldwick, and when?', {
        keep: ['The first quay of Aldwick was built in 1874 by the engineer Maria Lund.'],
      })
      expect(text.startsWith('The first quay of Aldwick was built in 1874 by the engineer Maria Lund')).toBe(true)
      expect(text.split('built in 1874')).toHaveLength(2)
    })

    it('does not repeat what did not stand', async () => {
      const claim = {
        text: history.text.split('. ')[0] ?? '',
        kind: 'fact',
        verdict: 'unsupported',
        reason: '',
        passageId: null,
      } as const
      const { text } = await ask('Who built the first quay of Aldwick?', { evidence: [history], avoid: [claim] })
      expect(text).not.toContain('Maria Lund')
    })

    it('streams the text it returns', async () => {
      let streamed = ''
      const { text } = await ask('What are the kinds of pilots?', { onDelta: (piece) => (streamed += piece) })
      expect(streamed).toBe(text)
    })

    it('stops when told to', async () => {
      const signal = AbortSignal.abort()
      await expect(
        answer()({ question: 'q', steps: [], evidence: harbours, maxSentences: 3 }, { ...call, signal }),
      ).rejects.toThrow()
    })
  })
}
