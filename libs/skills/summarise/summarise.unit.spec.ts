import { describe, expect, it } from 'vitest'
import { harbours, history } from '../eval/harbours'
import { summariseContract } from './summarise.contract'
import { offlineSummarise } from './summarise.offline'

summariseContract('offline', () => offlineSummarise)

describe('offline summarise', () => {
  it('writes no summary: it quotes the places that come closest to what was asked', async () => {
    const signal = new AbortController().signal
    const draft = await offlineSummarise(
      { question: 'Summarise who built the first quay.', passages: harbours, maxSentences: 3 },
      { signal, tier: 'small', temperature: 0 },
    )
    expect(draft).toMatchObject({ kind: 'quoted', quotes: [{ n: 1, passageId: history.id }, { n: 2 }] })
  })
})
