import type { AnswerPart, Claim, Verdict } from '@plumbline/contracts'
import { answer } from '@plumbline/testing/model-server'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../asking/scripted.spec'
import { harbours } from '../eval/harbours'
import { llmRateUsefulness } from './rate-usefulness.llm'

const model = useModel()
const claim = (text: string, verdict: Verdict): Claim => ({ text, kind: 'fact', verdict, reason: '', passageId: null })
const rated = (claims: Claim[], steps: string[] = []) =>
  llmRateUsefulness(model.chat)(
    {
      question: 'How long is boarding?',
      steps,
      text: 'Thirty minutes [1]. Pilots board [1].',
      claims,
      evidence: harbours,
    },
    callWith(),
  )
const part = (outcome: AnswerPart['outcome'], claims: number[]) => ({ what: 'boarding', outcome, claims })
const said = (...parts: object[]) => answer.json({ parts, usefulness: 5, confidence: 0.9, tooBroad: false })
const good = claim('Boarding lasts 30 minutes.', 'supported')
const bad = claim('Boarding lasts 90 minutes.', 'contradicted')

describe('usefulness by a model', () => {
  it('is rated on the sentences with their verdicts, part by part', async () => {
    model.server().script('rate-usefulness', said(part('answered', [1]), part('missed', [])))
    expect(await rated([good, bad], ['How long?', 'How high?'])).toEqual({
      parts: [
        { what: 'boarding', outcome: 'answered' },
        { what: 'boarding', outcome: 'missed' },
      ],
      usefulness: 5,
      confidence: 0.9,
      tooBroad: false,
    })
    const [shown] = model.shown()
    expect(shown?.one('sentence 1, supported')).toBe(good.text)
    expect(shown?.one('sentence 2, contradicted')).toBe(bad.text)
    expect(shown?.one('steps')).toBe('- How long?\n- How high?')
  })

  it.each([
    ['a claim that did not stand', part('answered', [2]), 'missed', 1],
    ['no claim', part('answered', []), 'missed', 1],
    ['a claim that is not there', part('not-in-documents', [9]), 'missed', 1],
    ['a claim that says it is not reported', part('not-in-documents', [1]), 'not-in-documents', 2],
  ])('counts no part as answered by %s', async (_, given, outcome, usefulness) => {
    model.server().script('rate-usefulness', said(given))
    expect(await rated([good, bad])).toMatchObject({ parts: [{ outcome }], usefulness })
  })

  it('takes the sentences as they stand where nothing was checked', async () => {
    model.server().script('rate-usefulness', said(part('answered', [2])))
    expect(await rated([])).toMatchObject({ parts: [{ outcome: 'answered' }], usefulness: 5 })
    expect(model.shown()[0]?.one('sentence 2, supported')).toBe('Pilots board.')
  })

  it('is the least, and not sure at all, where the model refuses', async () => {
    model.server().script('rate-usefulness', answer.refused('No.'))
    expect(await rated([good], ['How long?', 'How high?'])).toEqual({
      parts: [
        { what: 'How long?', outcome: 'missed' },
        { what: 'How high?', outcome: 'missed' },
      ],
      usefulness: 1,
      confidence: 0,
      tooBroad: false,
    })
  })
})
