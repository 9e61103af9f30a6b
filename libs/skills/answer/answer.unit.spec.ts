import type { Evidence } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { dwellTime, harbours, history, pilots, shorePower } from '../skill/fixtures.spec'
import { answerContract, shortAnswerContract } from './answer.contract'
import { offlineAnswer, offlineShortAnswer, quotesOnly } from './answer.offline'

answerContract('offline', () => offlineAnswer)
shortAnswerContract('offline', () => offlineShortAnswer)

const call = { signal: new AbortController().signal, tier: 'small', temperature: 0 } as const
type Step = { question: string; passageIds: string[] }
const ask = (question: string, evidence: Evidence[] = harbours, steps: Step[] = [], answer = offlineAnswer) =>
  answer({ question, steps, evidence, maxSentences: 6 }, call)

describe('offline answer: exact cells', () => {
  it.each([
    ['What was the SPU of Aldwick in 2022?', /19%/],
    ['spu of new corvey in 2020', /40%/],
    ['What was the shore power use at ald-2 in 2021?', /31%/],
    ['What is the mean dwell time of Aldwick?', /31\.5/],
  ])('are written, with their row as a quote: %s', async (question, figure) => {
    const draft = await ask(question)
    if (draft.kind !== 'written') throw new Error(`It is ${draft.kind}.`)
    expect(draft.text).toMatch(figure)
    expect(draft.text).toMatch(/ \[1\]\.$/)
    expect(draft.citations).toHaveLength(1)
    expect(draft.quotes).toMatchObject([{ n: 1, passageId: draft.citations[0]?.passageId, marks: [] }])
    expect(draft.quotes?.[0]?.text).toMatch(figure)
  })

  it('say how many rows their table has', async () =>
    expect(await ask('What was the SPU of Aldwick in 2022?')).toMatchObject({
      quotes: [{ passageId: shorePower.id, rows: { shown: 1, of: 4 } }],
    }))

  it('are reported as empty if they have no value', async () => {
    const draft = await ask('What was the SPU of Aldwick (east quay) in 2020?')
    expect(draft).toMatchObject({ kind: 'written', text: expect.stringMatching(/without a value/) })
  })

  it('come with their working if several cells give one result', async () => {
    const draft = await ask('What is the average SPU in 2021?', [shorePower])
    expect(draft).toMatchObject({ kind: 'written', workings: [{ result: 22.75 }] })
  })

  it('are written for each step from its own evidence', async () => {
    const draft = await ask('Both?', harbours, [
      { question: 'What was the SPU of Aldwick in 2021?', passageIds: [shorePower.id] },
      { question: 'What is the mean dwell time of New Corvey?', passageIds: [dwellTime.id] },
    ])
    expect(draft).toMatchObject({
      kind: 'written',
      text: expect.stringMatching(/14% \[1\]\. .*55\.0.* \[2\]\.$/),
      citations: [
        { n: 1, passageId: shorePower.id },
        { n: 2, passageId: dwellTime.id },
      ],
    })
  })
})

describe('offline answer: quotes', () => {
  it.each([
    'What are the three kinds of pilots?',
    'Who built the first quay of Aldwick?',
    'Which wine goes with fish?',
  ])('are given if the question names no cell: %s', async (question) =>
    expect(await ask(question)).toMatchObject({ kind: 'quoted' }),
  )

  it('are at most four, closest first, with shared words marked', async () => {
    const draft = await ask('Why do pilots not work during storms?')
    if (draft.kind !== 'quoted') throw new Error(`It is ${draft.kind}.`)
    expect(draft.quotes.length).toBeLessThanOrEqual(4)
    const [first] = draft.quotes
    expect(first).toMatchObject({ n: 1, passageId: pilots.id })
    expect(first?.marks.map(([from, to]) => first.text.slice(from, to).toLowerCase())).toContain('storms')
    expect(draft).not.toHaveProperty('degraded')
  })

  it('come from each passage without marks if no word is shared', async () => {
    const draft = await ask('Welcher Wein passt zu Fisch?', [history, pilots])
    if (draft.kind !== 'quoted') throw new Error(`It is ${draft.kind}.`)
    expect(draft.quotes.map(({ passageId }) => passageId)).toEqual([history.id, pilots.id])
    expect(draft.quotes.flatMap(({ marks }) => marks)).toEqual([])
  })

  it('name the words of the question that they do not contain, unless most are quoted', async () => {
    expect(await ask('Who painted the Mona Lisa?')).toMatchObject({ missing: ['painted', 'Mona', 'Lisa'] })
    expect(await ask('Why do pilots not work during storms in Lisbon?')).not.toHaveProperty('missing')
  })

  it('alternate between the steps if only one of them has an exact cell', async () => {
    const draft = await ask('Both?', harbours, [
      { question: 'Who built the first quay of Aldwick?', passageIds: [history.id] },
      { question: 'What was the SPU of Aldwick in 2021?', passageIds: [shorePower.id] },
    ])
    if (draft.kind !== 'quoted') throw new Error(`It is ${draft.kind}.`)
    expect(draft.quotes.slice(0, 2).map(({ passageId }) => passageId)).toEqual([history.id, shorePower.id])
    expect(draft.quotes[1]?.text).toContain('14%')
  })

  it('are marked as degraded if they replace a model, even for an exact cell', async () => {
    const draft = await ask('What was the SPU of Aldwick in 2022?', harbours, [], quotesOnly)
    expect(draft).toMatchObject({ kind: 'quoted', degraded: true })
    expect(await ask('Why?', [], [], quotesOnly)).toMatchObject({ kind: 'refused' })
  })
})

describe('offline shortAnswer', () => {
  it('is the one named cell, or null', async () => {
    const short = (question: string) => offlineShortAnswer({ question, evidence: harbours }, call)
    expect(await short('What was the SPU of Aldwick in 2022?')).toBe('19%')
    expect(await short('Who built the first quay of Aldwick?')).toBeNull()
    expect(await short('What was the SPU of Aldwick in 2021 and 2022?')).toBeNull()
  })
})
