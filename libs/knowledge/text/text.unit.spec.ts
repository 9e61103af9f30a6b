import { describe, expect, it } from 'vitest'
import { normal, sentences, stem, words } from './index'

describe('words', () => {
  it('brings forms together and leaves out what carries no subject', () => {
    expect(words('The stores stored; storing of stories')).toEqual([
      stem('store'),
      stem('store'),
      stem('store'),
      stem('story'),
    ])
    expect(words('Montréal’s data-center values')).toEqual(words('montreal data center value'))
  })
  it('keeps numbers and identifiers whole', () =>
    expect(words('USER_TYPE is 1.21 in asia-east1, 1,234')).toEqual([
      'user_type',
      '1.21',
      stem('asia'),
      'east1',
      '1234',
    ]))
})

describe('sentences', () => {
  it('end where a sentence ends', () =>
    expect(sentences('It fell by 1.5 m, e.g. in May. Does it rise? “Yes!”')).toEqual([
      'It fell by 1.5 m, e.g. in May.',
      'Does it rise?',
      '“Yes!”',
    ]))
  it('end with their line', () =>
    expect(sentences('A heading\n\n- one\r\n- two')).toEqual(['A heading', '- one', '- two']))
  it('are told apart in scripts without blanks', () =>
    expect(sentences('有給休暇は年に十日です。翌年に繰り越せます。')).toHaveLength(2))
})

describe('a text in its normal form', () => {
  it('differs from another only where the words, their case or their signs do', () => {
    expect(normal('  Who’s “Blue\n Door” in 2019–2022? ')).toBe(normal('Who\'s "Blue Door" in 2019-2022?'))
    expect(normal('Mu\u0308ller')).toBe(normal('Müller'))
    const all = [
      'Is C++ not free in the US?',
      'Is C# not free in the US?',
      'Is C++ not free in the us?',
      'Is C++ free in the US?',
      'Is C++ not free in the US',
    ]
    expect(new Set(all.map(normal)).size).toBe(all.length)
  })
})
