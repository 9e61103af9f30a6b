import { answer } from '@plumbline/testing/model-server/answer'
import { describe, expect, it } from 'vitest'
import { callWith, useModel } from '../skill/fixtures.spec'
import { llmFillLookup } from './fill-lookup.llm'

const model = useModel()
const lookups = [
  { name: 'tides', description: 'The next tides.', params: [] },
  {
    name: 'calls',
    description: 'The ship calls of a harbour since a day.',
    params: [
      { name: 'harbour', description: 'The harbour.', values: ['Aldwick', 'Brenholm'] },
      { name: 'since', description: 'The first day.', type: 'date' as const },
    ],
  },
  { name: 'ship', description: 'One ship.', params: [{ name: 'imo', description: 'Its number.', pattern: '\\d{7}' }] },
]
const question = 'How many ships called at Aldwick and Brenholm since last Monday, without 1234567?'
type Said = [name: string, values: Record<string, string>]
const filled = (said: Said[], isChosen = false) => {
  const all = said.map(([name, values]) => ({
    name,
    values: Object.entries(values).map(([param, value]) => ({ name: param, value })),
  }))
  model.server().script('fill-lookup', answer.json({ lookups: all }))
  return llmFillLookup(model.chat)({ question, lookups, isChosen }, callWith())
}
const calls = (harbour: string, since = '2026-11-23'): Said => ['calls', { harbour, since }]

describe('fillLookup by a model', () => {
  it('decides about all lookups in one call, each once for each set of values', async () => {
    expect(await filled([calls('Aldwick'), calls('Brenholm'), ['tides', {}]])).toEqual([
      { name: 'calls', values: { harbour: 'Aldwick', since: '2026-11-23' } },
      { name: 'calls', values: { harbour: 'Brenholm', since: '2026-11-23' } },
      { name: 'tides', values: {} },
    ])
    expect(model.sent()).toHaveLength(1)
    expect(model.shown()[0]?.all.map(({ text }) => text)).toEqual([
      'tides\nThe next tides.',
      'calls\nThe ship calls of a harbour since a day.\n- harbour: The harbour. One of: Aldwick, Brenholm.\n- since: The first day. A date, written as YYYY-MM-DD.',
      'ship\nOne ship.\n- imo: Its number. Must fit the pattern \\d{7}.',
      question,
    ])
  })

  it.each<[string, Said]>([
    ['an unknown lookup', ['secrets', {}]],
    ['a value that is not listed', calls('Dunmere')],
    ['a date that does not exist', calls('Aldwick', '2026-02-30')],
    ['a date with more than a date', calls('Aldwick', "2026-02-01' OR true")],
    ['a missing value', ['calls', { harbour: 'Aldwick' }]],
    ['a value that is not in the question', ['ship', { imo: '7654321' }]],
    ['a parameter that it does not have', ['tides', { harbour: 'Aldwick' }]],
  ])('drops %s', async (_, said) => {
    expect(await filled([said, ['ship', { imo: '1234567' }]])).toEqual([{ name: 'ship', values: { imo: '1234567' } }])
  })

  it('queries sources at most five times for a question', async () =>
    expect(await filled(Array.from({ length: 9 }, () => calls('Aldwick')))).toHaveLength(5))

  it('tells the model if the lookups were chosen, and returns none if it refuses', async () => {
    await filled([], false)
    await filled([], true)
    expect(model.shown().map(({ task }) => task.includes('These lookups fit the question.'))).toEqual([false, true])
    model.server().script('fill-lookup', answer.refused('Not this.'))
    expect(await llmFillLookup(model.chat)({ question, lookups }, callWith())).toEqual([])
  })
})
