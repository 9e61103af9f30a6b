import type { Evidence } from '@plumbline/contracts'
import { answer } from '@plumbline/testing/model-server/answer'
import { describe, expect, it } from 'vitest'
import { callWith, dwellTime, harbours, history, pilots, useModel } from '../skill/fixtures.spec'
import { summariseContract } from './summarise.contract'
import { llmSummarise } from './summarise.llm'
import { offlineSummarise } from './summarise.offline'

summariseContract('offline', () => offlineSummarise)

describe('offline summarise', () => {
  it('quotes the text closest to the question instead of a summary', async () => {
    const signal = new AbortController().signal
    const draft = await offlineSummarise(
      { question: 'Summarise who built the first quay.', passages: harbours, maxSentences: 3 },
      { signal, tier: 'small', temperature: 0 },
    )
    expect(draft).toMatchObject({ kind: 'quoted', quotes: [{ n: 1, passageId: history.id }, { n: 2 }] })
  })
})

const model = useModel()
const question = 'Sum up the harbour report.'
const passages = [history, pilots, dwellTime]
const summed = (all: Evidence[] = passages, maxSentences = 2) =>
  llmSummarise(model.chat)({ question, passages: all, maxSentences }, callWith())
const points = (...all: [string, ...number[]][]) =>
  answer.json({ points: all.map(([text, ...from]) => ({ text, passages: from })), list: false })

describe('a summary by a model', () => {
  it('takes one call for a short document, and numbers citations by first use', async () => {
    model.server().script('summarise-part', points(['Pilots board ships.', 2, 9], ['It is old.', 1, 2]))
    expect(await summed()).toEqual({
      kind: 'written',
      text: 'Pilots board ships [1]. It is old [2][1].',
      citations: [
        { n: 1, passageId: 'pilots' },
        { n: 2, passageId: 'history' },
      ],
    })
    expect(model.sent()).toHaveLength(1)
    expect(model.shown()[0]?.task).toContain('at most 2 points')
  })

  it('is a list if the question asks for one', async () => {
    const asked = {
      points: [
        { text: 'Pilots board ships.', passages: [2] },
        { text: 'It is old.', passages: [1] },
      ],
      list: true,
    }
    model.server().script('summarise-part', answer.json(asked))
    expect(await summed()).toMatchObject({ text: '- Pilots board ships [1].\n- It is old [2].' })
  })

  it('joins the points of the parts of a long document', async () => {
    const long = Array.from({ length: 3 }, (_, at) => ({ ...history, id: `p${at}`, text: history.text.repeat(110) }))
    model.server().script({ name: 'summarise-part' }, points(['One.', 1], ['Two.', 2], ['Three.', 3]))
    model.server().script('summarise-whole', points(['All in one.', 1, 3]))
    expect(await summed(long)).toMatchObject({
      text: 'All in one [1][2].',
      citations: [{ passageId: 'p0' }, { passageId: 'p2' }],
    })
    expect(model.server().requests.map(({ name }) => name)).toEqual([
      ...['summarise-part', 'summarise-part', 'summarise-part', 'summarise-whole'],
    ])
    expect(
      model
        .shown()[3]
        ?.numbered('point')
        .map(({ name }) => name),
    ).toEqual([...['point 1, passages 1', 'point 2, passages 2', 'point 3, passages 3']])
  })

  it('is written again once if it has too many points, and then keeps the first and the last', async () => {
    const long = points(['One.', 1], ['Two.', 2], ['Three.', 3])
    model.server().script('summarise-part', long, points(['One.', 1], ['Three.', 3]))
    expect(await summed()).toMatchObject({ text: 'One [1]. Three [2].' })
    expect(model.sent()[1]?.at(-1)?.content).toContain('It has 3 points; at most 2 are allowed.')

    model.server().script('summarise-part', long, long)
    expect(await summed()).toMatchObject({ text: 'One [1]. Three [2].' })
    expect(model.sent()).toHaveLength(4)
  })

  it('uses the points of the first and the last part if the parts cannot be joined', async () => {
    const long = Array.from({ length: 3 }, (_, at) => ({ ...history, id: `p${at}`, text: history.text.repeat(110) }))
    model.server().script({ name: 'summarise-part' }, points(['One.', 1], ['Two.', 2], ['Three.', 3]))
    model.server().script('summarise-whole', answer.refused('No.'))
    expect(await summed(long)).toMatchObject({ citations: [{ passageId: 'p0' }, { passageId: 'p2' }] })
  })

  it('quotes instead if the model refuses a part of a long document', async () => {
    const long = Array.from({ length: 2 }, (_, at) => ({ ...history, id: `p${at}`, text: history.text.repeat(110) }))
    model.server().script('summarise-part', points(['One.', 1]), answer.refused('No.'))
    expect(await summed(long)).toMatchObject({ kind: 'quoted' })
  })

  it('falls back to the offline form if the model gives no point', async () => {
    model.server().script('summarise-part', answer.refused('No.'))
    const input = { question, passages, maxSentences: 2 }
    expect(await summed()).toEqual(await offlineSummarise(input, callWith()))
  })
})
