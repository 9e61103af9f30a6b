import { describe, expect, it } from 'vitest'
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
    const table = strips.find((strip) => strip.startsWith('|'))
    expect(table?.split('\n').map((row) => row.split('|')[1]?.trim())).toEqual([
      ...['Harbour', '---', 'Aldwick', 'Brenholm, Westland', 'New Corvey'],
    ])
  })
})
