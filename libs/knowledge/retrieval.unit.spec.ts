import type { Passage } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { amendedBy, amendmentsFirst, eachTextOnce, isOutdated } from './retrieval'

const passage = (id: string, text: string, more: Partial<Passage> = {}): Passage => ({
  id,
  documentId: id,
  collection: 'main',
  title: id,
  text,
  headingPath: [],
  position: 0,
  ...more,
})
const ids = (passages: Passage[]): string[] => passages.map(({ id }) => id)

const once = (ranked: Passage[]): string[] => ids(eachTextOnce(ranked, (one) => one))

describe('passages that say the same', () => {
  const text = 'The reservoir above the village holds water for the summer and is drained each autumn.'
  const terms = (id: string, more: Partial<Passage> = {}): Passage => passage(id, text, { title: 'Terms', ...more })
  const other = passage('b', 'Something else.')

  it('are one, in the place of the best, however their lines are broken', () =>
    expect(once([terms('a'), other, terms('c', { text: text.replaceAll(' ', '\n') })])).toEqual(['a', 'b']))

  it.each([
    ['a figure', 'In 2019 it was 5 m deep.', 'In 2022 it was 5 m deep.'],
    ['a sign', 'It was -5 degrees.', 'It was 5 degrees.'],
    ['a name', 'It stands above Altdorf.', 'It stands above Brunnen.'],
    ['a denial', 'It was drained.', 'It was not drained.'],
    ['a capital', 'It is for us.', 'It is for US.'],
  ])('are not those that differ in %s', (_, a, b) =>
    expect(once([terms('a', { text: a }), terms('b', { text: b })])).toEqual(['a', 'b']),
  )

  it.each<[string, Partial<Passage>, Partial<Passage>]>([
    ['under other headings', { headingPath: ['Warranty', 'Basic'] }, { headingPath: ['Warranty', 'Premium'] }],
    ['of another thing', { title: 'Pump X 200' }, { title: 'Pump X 300' }],
  ])('are not the same words %s', (_, a, b) => expect(once([terms('a', a), terms('b', b)])).toEqual(['a', 'b']))

  it('are one in two files of a title, whose names are beside it', () => {
    const inFile = (id: string): Passage => terms(id, { title: `Terms · ${id}.pdf`, file: `${id}.pdf` })
    expect(once([inFile('a'), other, inFile('c')])).toEqual(['a', 'b'])
  })

  it('give way to the newest, which stands where the best of them stood', () => {
    const [old, young] = [terms('old', { date: '2020-01-01' }), terms('young', { date: '2023-01-01' })]
    expect(once([old, other, young, terms('undated')])).toEqual(['young', 'b'])
    expect(once([young, other, old])).toEqual(['young', 'b'])
  })
})

describe('amendments', () => {
  const contract = passage('contract', 'The notice period is 30 days from the first of the month.', {
    date: '2019-05-01',
  })
  const payment = { ...contract, id: 'payment', text: 'Invoices are paid within two weeks.' }
  const amendment = passage('amendment', 'The notice period is 45 days from the first of the month.', {
    supersedes: ['contract'],
    date: '2023-05-01',
  })

  it('go before what they amend, and leave the rest in its order', () => {
    const other = passage('other', 'Something else.')
    expect(ids(amendmentsFirst([other, contract, payment, amendment]))).toEqual([
      'other',
      'amendment',
      'contract',
      'payment',
    ])
    expect(ids(amendmentsFirst([amendment, contract]))).toEqual(['amendment', 'contract'])
  })

  it('go before what they amend in any order of three, and of two that amend each other the newer', () => {
    const again = passage('again', 'The notice period is 60 days.', { supersedes: ['amendment'] })
    for (const ranked of [
      [contract, again, amendment],
      [contract, amendment, again],
      [amendment, contract, again],
      [again, contract, amendment],
    ])
      expect(ids(amendmentsFirst(ranked))).toEqual(['again', 'amendment', 'contract'])
    const [old, back] = [
      passage('old', 'The price is 5 euro.', { supersedes: ['back'], date: '2020-01-01' }),
      passage('back', 'The price is 5 euro.', { supersedes: ['old'], date: '2024-01-01' }),
    ]
    expect(ids(amendmentsFirst([old, back]))).toEqual(['back', 'old'])
    expect([old, back].map((one) => amendedBy(one, [old, back]))).toEqual(['back', undefined])
    const round = ['a', 'b', 'c'].map((id, at, all) => passage(id, '', { supersedes: [all[(at + 1) % 3] ?? ''] }))
    expect(ids(amendmentsFirst(round))).toEqual(['b', 'c', 'a'])
  })

  it('outdate what they say otherwise, and only that', () => {
    const all = [contract, payment, amendment]
    expect(all.map((one) => amendedBy(one, all))).toEqual(['amendment', undefined, undefined])
    const own = { ...contract, supersedes: ['contract'] }
    expect(amendedBy(own, [own])).toBeUndefined()
  })

  const amended = { ...contract, amendedBy: 'amendment' }
  it.each<[string, Passage, Passage[], boolean]>([
    ['How long is the notice period?', amended, [amended, amendment], true],
    ['How long was the notice period in 2018?', amended, [amended, amendment], true],
    ['How long was the notice period in 2019?', amended, [amended, amendment], false],
    ['How long was the notice period in 2021?', amended, [amended, amendment], false],
    ['How long was the notice period in 2023?', amended, [amended, amendment], true],
    ['How long was the notice period in 2021?', amended, [amended], true],
    ['How long was the notice period in 2019?', amended, [amended], false],
    ['How long is the notice period?', contract, [contract, amendment], false],
  ])('outdate by the years that are asked for: %s', (question, asked, among, outdated) =>
    expect(isOutdated(question, asked, among)).toBe(outdated),
  )
})
