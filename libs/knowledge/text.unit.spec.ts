import { describe, expect, it } from 'vitest'
import { contentTerms, normal, sentences, spans, stem, terms, tokens, words } from './text'

describe('words', () => {
  it('reduces the forms of a word to one stem and leaves out stop words', () => {
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
  it('end at their punctuation, but not within numbers or abbreviations', () =>
    expect(sentences('It fell by 1.5 m, e.g. in May. Does it rise? “Yes!”')).toEqual([
      'It fell by 1.5 m, e.g. in May.',
      'Does it rise?',
      '“Yes!”',
    ]))
  it('end at the end of a line', () =>
    expect(sentences('A heading\n\n- one\r\n- two')).toEqual(['A heading', '- one', '- two']))
  it('are recognized in scripts without spaces', () =>
    expect(sentences('有給休暇は年に十日です。翌年に繰り越せます。')).toHaveLength(2))
})

describe('a text in its normal form', () => {
  it('differs from another only if the words, their case or other signs differ', () => {
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

describe('tokens', () => {
  it('are the words of a text in lower case, without accents', () =>
    expect(tokens('Montréal’s Größe: L’eau, don’t!')).toEqual(['montreal', 'große', 'l', 'eau', 'don', 't']))

  it('keep numbers and identifiers whole, and split words that lack a space between them', () => {
    expect(tokens('USER_TYPE is 1.21 in asia-east1, 1,234.5 of v2.10; 3,4')).toEqual(
      ['user_type', 'is', '1.21', 'in', 'asia', 'east1', '1234.5', 'of', 'v2.10', '3', '4'], // prettier-ignore
    )
    expect(tokens('It ended in 1999.Then the U.S. began')).toEqual(
      ['it', 'ended', 'in', '1999', 'then', 'the', 'u', 's', 'began'], // prettier-ignore
    )
  })

  it('are whole words in scripts without spaces', () =>
    expect(tokens('有給休暇は年に10日です。ガラス')).toEqual(expect.arrayContaining(['有給', '休暇', '10', 'ガラス'])))

  it('keep the vowels of scripts that write them as marks', () => expect(tokens('हिन्दी')).toEqual(['हिन्दी']))

  it('carry their positions in the text', () => {
    const text = 'Ångström’s 1,234 end.Next 東京に'
    for (const { raw, start, end } of spans(text)) expect(text.slice(start, end)).toBe(raw)
  })
})

describe('terms', () => {
  it.each([
    ['English', 'store stores stored storing'],
    ['English', 'report reports reported reporting'],
    ['German', 'Urlaubstag Urlaubstage Urlaubstagen Urlaubstages'],
    ['German', 'Arbeitnehmer Arbeitnehmers Arbeitnehmern'],
    ['German', 'Kündigung Kündigungen'],
    ['French', 'employeur employeurs'],
    ['French', 'durée durées duree'],
    ['French', 'conservation conserver conservé'],
  ])('are the same for all forms of a word in %s: %s', (_, forms) => expect(new Set(terms(forms)).size).toBe(1))

  it('differ for different words', () =>
    expect(new Set(terms('store stone amber Urlaub Urteil conservation conversation')).size).toBe(7))

  it.each(['22.x', 'v22', '22.0.0', 'V22.0', 'v22.x'])('include the shorter forms of a version: %s', (version) => {
    expect(terms(`Node ${version} runs`)).toEqual(expect.arrayContaining(['22', '22.0']))
    expect(contentTerms(`node ${version}`)).toContain('22')
  })

  it.each([
    ...['Node 20.11', 'Node.js 20.11 runs', 'node:20.11-alpine', 'node@20.11', 'node-20.11', 'Node (>= 20.11)'],
    ...[
      'node >=20.11',
      'Node v20.11.1',
      'Node 20.x',
      'Node 20.11.x',
      'node ^20.11',
      'Node `20.11`',
      '"node": ">=20.11"',
    ],
  ])('hold a version behind a word by its first number: %s', (version) => {
    expect(terms(version)).toContain('20')
    for (const term of contentTerms('What is new in Node 20?').slice(1)) expect(terms(version)).toContain(term)
  })

  it('hold no decimal by its first number, and a question looks for the whole version', () => {
    for (const text of [
      'of 20.11',
      '20.11 kg',
      '| Node | 20.11 |',
      'Node, 20.11',
      'price = 20.11',
      '10 20.11',
      'at -20.11',
    ])
      expect(terms(text)).not.toContain('20')
    expect(contentTerms('Node 20.11')).toEqual([...terms('Node'), '20.11'])
  })

  it('hold no number of a timestamp', () =>
    expect(terms('at 2026-10-20T10:20:30.5+02:00 or 2026-10-20T20:10Z')).toEqual([
      ...['at', '2026', '2026_10_20', 'or', '2026', '2026_10_20'],
    ]))

  it('keep decimals, IP addresses and numbers whole', () => {
    expect(terms('1.21 of 127.0.0.1 and 1,234')).toEqual(terms('1.21 of 127.0.0.1 and 1234'))
    expect(terms('1.21 of 127.0.0.1')).toEqual(['1.21', 'of', '127.0.0.1'])
  })

  it.each(['2026-10-20', '20.10.2026', '20 October 2026', 'October 20th, 2026', '20. Oktober 2026', '10/20/2026'])(
    'include a date as a whole, and its year: %s',
    (date) => {
      const held = terms(`released ${date} at last`)
      expect(held).toEqual(expect.arrayContaining(['2026', '2026_10_20']))
      for (const part of ['20', '10', '20th']) expect(held).not.toContain(part)
      expect(contentTerms('what was released on 2026-10-20?')).toContain('2026_10_20')
    },
  )

  it('include a number next to a date', () =>
    expect(terms('20 on 2026-10-20')).toEqual(['20', 'on', '2026', '2026_10_20']))

  it('include an identifier and its parts', () =>
    expect(terms('USER_TYPE')).toEqual(['user_type', ...terms('user type')]))

  it('of a question leave out stop words', () => {
    expect(contentTerms('What is the amber worth?')).toEqual(terms('amber worth'))
    expect(contentTerms('Wie viel ist der Bernstein wert?')).toEqual(terms('viel Bernstein wert'))
    expect(contentTerms('Quelle est la durée du congé ?')).toEqual(terms('la durée congé'))
  })
})
