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

describe('passages with the same text', () => {
  const text = 'The reservoir above the village holds water for the summer and is drained each autumn.'
  const terms = (id: string, more: Partial<Passage> = {}): Passage => passage(id, text, { title: 'Terms', ...more })
  const other = passage('b', 'Something else.')

  it('are merged at the rank of the best, wherever their lines break', () =>
    expect(once([terms('a'), other, terms('c', { text: text.replaceAll(' ', '\n') })])).toEqual(['a', 'b']))

  it.each([
    ['a figure', 'In 2019 it was 5 m deep.', 'In 2022 it was 5 m deep.'],
    ['a sign', 'It was -5 degrees.', 'It was 5 degrees.'],
    ['a name', 'It stands above Altdorf.', 'It stands above Brunnen.'],
    ['a negation', 'It was drained.', 'It was not drained.'],
    ['a capital letter', 'It is for us.', 'It is for US.'],
  ])('do not include passages that differ in %s', (_, a, b) =>
    expect(once([terms('a', { text: a }), terms('b', { text: b })])).toEqual(['a', 'b']),
  )

  it.each<[string, Partial<Passage>, Partial<Passage>]>([
    ['under different headings', { headingPath: ['Warranty', 'Basic'] }, { headingPath: ['Warranty', 'Premium'] }],
    ['in documents with different titles', { title: 'Pump X 200' }, { title: 'Pump X 300' }],
  ])('are kept apart %s', (_, a, b) => expect(once([terms('a', a), terms('b', b)])).toEqual(['a', 'b']))

  it('are merged across two files with one title, although the file names differ', () => {
    const inFile = (id: string): Passage => terms(id, { title: `Terms · ${id}.pdf`, file: `${id}.pdf` })
    expect(once([inFile('a'), other, inFile('c')])).toEqual(['a', 'b'])
  })

  it('are replaced by the newest, at the rank of the best', () => {
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

  it('come before the passages that they amend, and the rest keeps its order', () => {
    const other = passage('other', 'Something else.')
    expect(ids(amendmentsFirst([other, contract, payment, amendment]))).toEqual([
      'other',
      'amendment',
      'contract',
      'payment',
    ])
    expect(ids(amendmentsFirst([amendment, contract]))).toEqual(['amendment', 'contract'])
  })

  it('come first in chains of three, too, and the newer first if two amend each other', () => {
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

  it('outdate only similar passages of other documents', () => {
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
  ])('outdate a passage depending on the years in the question: %s', (question, asked, among, outdated) =>
    expect(isOutdated(question, asked, among)).toBe(outdated),
  )
})
