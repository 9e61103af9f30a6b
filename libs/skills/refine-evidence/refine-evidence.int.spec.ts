import { answer } from '@plumbline/testing/model-server/answer'
import { describe, expect, it } from 'vitest'
import { callWith, dwellTime, useModel } from '../skill/fixtures.spec'
import { refineEvidenceContract } from './refine-evidence.contract'
import { llmRefineEvidence } from './refine-evidence.llm'
import { offlineRefineEvidence, splitIntoStrips } from './refine-evidence.offline'

refineEvidenceContract('offline', () => offlineRefineEvidence)

describe('strips', () => {
  it('keep a table whole', async () => {
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

const model = useModel()
const input = { question: 'How many cranes does Aldwick have?', passage: dwellTime }
const refined = () => llmRefineEvidence(model.chat)(input, callWith())
const strips = splitIntoStrips(dwellTime)

describe('strips chosen by a model', () => {
  it('are word for word and in order, whatever numbers the model returns', async () => {
    model.server().script('refine-evidence', answer.json({ strips: [3, 1, 1, 0, -2, 99] }))
    expect(await refined()).toEqual([strips[0], strips[2]])
    expect(model.shown()[0]?.one('passage 1')).toContain(`(1) ${strips[0]}\n(2) ${strips[1]}`)
    expect(model.shown()[0]?.task).toContain(`Choose among the strips 1 to ${strips.length}.`)
  })

  it('can be empty', async () => {
    model.server().script('refine-evidence', answer.json({ strips: [] }))
    expect(await refined()).toEqual([])
  })

  it('are all kept if the model refuses', async () => {
    model.server().script('refine-evidence', answer.refused('No.'))
    expect(await refined()).toEqual(strips)
  })
})
