import { describe, expect, it } from 'vitest'
import { exactCells } from '@plumbline/knowledge/cells'
import { dwellTime } from '../eval/harbours'
import { refineEvidenceContract } from './refine-evidence.contract'
import { offlineRefineEvidence } from './refine-evidence.offline'

refineEvidenceContract('offline', () => offlineRefineEvidence)

describe('strips', () => {
  it('of a table can still be read as one', async () => {
    const question = 'What is the mean dwell time of Aldwick?'
    const signal = new AbortController().signal
    const strips = await offlineRefineEvidence(
      { question, passage: dwellTime },
      { signal, tier: 'small', temperature: 0 },
    )
    expect(strips.filter((strip) => strip.startsWith('|'))).toHaveLength(1)
    expect(exactCells(question, [{ ...dwellTime, text: strips.join('\n') }])).toMatchObject([{ value: '31.5' }])
  })
})
