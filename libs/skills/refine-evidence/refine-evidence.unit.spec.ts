import { describe, expect, it } from 'vitest'
import { exactCells } from '@plumbline/knowledge/cells'
import { dwellTime } from '../eval/harbours'
import { refineEvidenceContract } from './refine-evidence.contract'
import { offlineRefineEvidence } from './refine-evidence.offline'

refineEvidenceContract('offline', () => offlineRefineEvidence)

describe('strips', () => {
  it('of a table can still be read as one', async () => {
    const strips = await offlineRefineEvidence(
      { question: 'How many cranes does Aldwick have?', passage: dwellTime },
      { signal: new AbortController().signal, tier: 'small', temperature: 0 },
    )
    const read = exactCells('How many cranes does Brenholm, Westland have?', [
      { ...dwellTime, text: strips.join('\n') },
    ])
    expect(read?.map(({ value }) => value)).toEqual(['4'])
  })
})
