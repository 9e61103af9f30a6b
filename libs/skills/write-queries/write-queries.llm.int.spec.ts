import { answer } from '@plumbline/testing/model-server'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../asking/scripted.spec'
import { llmWriteQueries } from './write-queries.llm'
import { offlineWriteQueries } from './write-queries.offline'

const model = useModel()
const input = { question: 'What is the mass of Mars?', count: 2 }
const written = () => llmWriteQueries(model.chat)(input, callWith())
const said = (...queries: string[]) => answer.json({ queries })

describe('queries by a model', () => {
  it('are new ones, as many as are wanted', async () => {
    model
      .server()
      .script(
        'write-queries',
        said('what is the mass of mars', ' Mars mass kg ', '', 'Mars: mass, kg', 'planet masses table', 'more'),
      )
    expect(await written()).toEqual(['Mars mass kg', 'planet masses table'])
    expect(model.shown()[0]?.task).toBe('Write 2 queries.')
  })

  it('are asked for again where none is new, then written offline', async () => {
    model.server().script('write-queries', said(input.question), said('Mars mass'))
    expect(await written()).toEqual(['Mars mass'])
    model.server().script('write-queries', said(input.question))
    expect(await written()).toEqual(await offlineWriteQueries(input, callWith()))
    expect(model.sent()).toHaveLength(4)
  })

  it('are none where the model refuses: the question itself is searched anyway', async () => {
    model.server().script('write-queries', answer.refused('No.'))
    expect(await written()).toEqual([])
  })
})
