import type { Passage } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { amendedBy, amendmentsFirst, eachTextOnce, isOutdated, withoutDuplicates } from './index'

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

describe('duplicates', () => {
  const long =
    'The reservoir above the village holds water for the summer and is drained each autumn so that its walls can be looked at and mended before the snow.'

  it('are one, in the place of the best', () => {
    expect(ids(withoutDuplicates([passage('a', long), passage('b', 'Something else.'), passage('c', long)]))).toEqual([
      'a',
      'b',
    ])
    expect(ids(withoutDuplicates([passage('a', long), passage('c', `${long} Always.`)]))).toEqual(['a'])
  })

  it('are not those that differ in a figure, a year, a name or a denial', () => {
    const told = (place: string, year: string, not: string): string =>
      `In ${year} the reservoir above ${place} was ${not}drained, and ${long}`
    const all = [
      told('Altdorf', '2019', ''),
      told('Altdorf', '2022', ''),
      told('Brunnen', '2019', ''),
      told('Altdorf', '2019', 'not '),
    ]
    expect(withoutDuplicates(all.map((text, at) => passage(`p${at}`, text)))).toHaveLength(4)
  })

  it('give way to the newer of two dates', () => {
    expect(
      ids(
        withoutDuplicates([passage('old', long, { date: '2020-01-01' }), passage('new', long, { date: '2023-01-01' })]),
      ),
    ).toEqual(['new'])
    expect(
      ids(
        withoutDuplicates([passage('new', long, { date: '2023-01-01' }), passage('old', long, { date: '2020-01-01' })]),
      ),
    ).toEqual(['new'])
  })

  it.each<[string, Partial<Passage>, Partial<Passage>]>([
    ['under other headings', { headingPath: ['Warranty', 'Basic'] }, { headingPath: ['Warranty', 'Premium'] }],
    ['of another thing', { title: 'Pump X 200' }, { title: 'Pump X 300' }],
  ])('are not the same words %s', (_, a, b) => {
    const both = [passage('a', long, { title: 'Terms', ...a }), passage('b', long, { title: 'Terms', ...b })]
    expect(ids(withoutDuplicates(both))).toEqual(['a', 'b'])
    expect(eachTextOnce(both.map((one) => ({ passage: one })))).toHaveLength(2)
  })

  it('word for word stand where the best of them stood, the newest of them', () => {
    const ranked = [
      passage('a', long, { date: '2020-01-01' }),
      passage('b', 'Something else.'),
      passage('c', long, { date: '2023-01-01' }),
      passage('d', long),
    ]
    expect(eachTextOnce(ranked.map((one) => ({ passage: one }))).map((found) => found.passage.id)).toEqual(['c', 'b'])
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
