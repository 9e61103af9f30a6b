import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { piecesOf } from './pieces'
import { withoutPieces } from './without-pieces'

const seen = (draft: string) => piecesOf(draft).map(({ form, text, marks }) => [form, text, marks])
const texts = (draft: string) => piecesOf(draft).map(({ text }) => text)
const without = (draft: string, ...gone: string[]) =>
  withoutPieces(
    draft,
    piecesOf(draft).filter(({ text }) => gone.includes(text)),
  )

describe('sentences', () => {
  it('end with their citation, however the next sentence begins', () =>
    expect(seen('The call ends [1]. ky supports Node. [2][3] zod checks it [4]. And so.')).toEqual([
      ['sentence', 'The call ends.', [1]],
      ['sentence', 'ky supports Node.', [2, 3]],
      ['sentence', 'zod checks it.', [4]],
      ['sentence', 'And so.', []],
    ]))
  it('do not end at abbreviations, decimals, versions and initials', () => {
    const whole = [
      'Dr. A. Smith et al. wrote version 1.2.3 for approx. 5.5 Mio. users [1].',
      'It runs e.g. on Acme Corp. machines, cf. No. 5 [2].',
      'Am 3. Mai kam z. B. Prof. Klein an [3].',
      'See i.e. [4] and others.',
    ]
    expect(piecesOf(whole.join(' ')).map(({ raw }) => raw)).toEqual(whole)
  })
  it('are split in scripts without upper and lower case', () =>
    expect(seen('料金は五百円です。[1]次の文です[2]。終わりです。')).toEqual([
      ['sentence', '料金は五百円です。', [1]],
      ['sentence', '次の文です。', [2]],
      ['sentence', '終わりです。', []],
    ]))
  it('begin after an ellipsis and a question', () =>
    expect(
      texts('It was stable for years... Then it failed twice. Why did it fail? Nobody knows… They all left.'),
    ).toEqual([
      'It was stable for years...',
      'Then it failed twice.',
      'Why did it fail?',
      'Nobody knows…',
      'They all left.',
    ]))
  it('take no citations from their neighbors', () =>
    expect(seen('The first one holds nothing. The second one does [2].').map(([, , marks]) => marks)).toEqual([
      [],
      [2],
    ]))
  it('are not split by invisible characters', () => {
    expect(texts('It is one [1]. \u202eThe price is two\u202c.')).toEqual([
      'It is one.',
      '\u202eThe price is two\u202c.',
    ])
    expect(texts('It is one [1].[^1] And two.')).toEqual(['It is one.[^1] And two.'])
  })
  it('continue over a line end, and brackets in code cite nothing', () =>
    expect(seen('> The value of `list[1]`\n> is read twice [2, 3].')).toEqual([
      ['sentence', 'The value of `list[1]` is read twice.', [2, 3]],
    ]))
})

describe('lists, headings, tables and code', () => {
  it('are separate pieces, and a lead-in takes the citations of its list', () =>
    expect(seen('## Fees\nThere are two:\n- one [1]\n- two:\n  - half [2]\n\n## Other\nNone is known.\n')).toEqual([
      ['heading', 'Fees', [1, 2]],
      ['sentence', 'There are two:', [1, 2]],
      ['item', 'one', [1]],
      ['item', 'two:', [2]],
      ['item', 'half', [2]],
      ['heading', 'Other', []],
      ['sentence', 'None is known.', []],
    ]))
  it('give a table header the citations of its rows', () =>
    expect(seen('| Site | PUE |\n|---|---:|\n| Oslo | 1.1 [1] |\n| Rome [2] | 1.2 |')).toEqual([
      ['row', 'Site | PUE', [1, 2]],
      ['row', 'Oslo | 1.1', [1]],
      ['row', 'Rome | 1.2', [2]],
    ]))
  it('give the lines of code the citations below the block', () =>
    expect(seen('Run:\n```sh now\nnpm ci\n\nnpm start\n```\n[3]')).toEqual([
      ['sentence', 'Run:', []],
      ['code', 'sh now npm ci', [3]],
      ['code', 'npm start', [3]],
    ]))
  it('lose no citation', () => {
    expect(seen('One holds [1].\n\n[2]\n\n[88]\n\nTwo.').map(([, , marks]) => marks)).toEqual([[1, 2, 88], []])
    expect(seen('[88]\n\nTwo holds [1].')).toEqual([
      ['sentence', '[88]', [88]],
      ['sentence', 'Two holds.', [1]],
    ])
  })
  it('read a bracket at the end of a line of code as code', () =>
    expect(seen('```\nretries = [5]\n```\n[1]')).toEqual([['code', 'retries = [5]', [1]]]))
  it('keep the day of a date at the start of a line', () =>
    expect(seen('1. März 2024: Die Frist endet [1].\n- 2. April 2024: Der Kurs beginnt [2].')).toEqual([
      ['sentence', '1. März 2024: Die Frist endet.', [1]],
      ['item', '2. April 2024: Der Kurs beginnt.', [2]],
    ]))
  it('give code the citation of its lead-in', () =>
    expect(seen('Run this [2]:\n\n```\nargs[1]\n```')).toEqual([
      ['sentence', 'Run this:', [2]],
      ['code', 'args[1]', [2]],
    ]))
  it('read underlined and bold titles as headings', () =>
    expect(
      seen('Title\n---\nIt holds [1].\n\n**Costs**\n\nIt is free [2].').map(([form, , marks]) => [form, marks]),
    ).toEqual([
      ['heading', [1, 2]],
      ['sentence', [1]],
      ['heading', [2]],
      ['sentence', [2]],
    ]))
  it('treat a number that continues no list as text', () =>
    expect(texts('1. one\n2. two\n\n1985. was the year')).toEqual(['one', 'two', '1985. was the year']))
})

describe('a draft without some pieces', () => {
  it('loses the sentence and keeps the rest', () =>
    expect(without('One is here [1]. Two\nis there [2]. Three is nowhere.', 'Two is there.')).toBe(
      'One is here [1].\nThree is nowhere.',
    ))
  it('loses lists, headings and lead-ins that become empty', () =>
    expect(without('## Fees\n\nThere are two:\n\n1. one\n2. two\n\n## Rest\n\nAll is well.', 'one', 'two')).toBe(
      '## Rest\n\nAll is well.',
    ))
  it('keeps a lead-in that still introduces an item', () =>
    expect(without('There are two:\n- one\n- two', 'one')).toBe('There are two:\n- two'))
  it('loses rows, and the table with its last row', () => {
    const table = 'See:\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nDone.'
    expect(without(table, '1 | 2')).toBe('See:\n\n| a | b |\n|---|---|\n| 3 | 4 |\n\nDone.')
    expect(without(table, '1 | 2', '3 | 4')).toBe('Done.')
    expect(without(table, 'a | b')).toBe('See:\n\n| | |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\nDone.')
  })
  it('loses lines of code, and the block with its last line', () => {
    const code = 'Before it.\n\n~~~sh\nnpm ci\nnpm test\n~~~\n[1]\n\nAfter it.'
    expect(without(code, 'sh npm ci')).toBe('Before it.\n\n~~~\nnpm test\n~~~\n[1]\n\nAfter it.')
    expect(without(code, 'sh npm ci', 'npm test')).toBe('Before it.\n\nAfter it.')
  })
})

describe('any draft', () => {
  const part = fc.constantFrom(
    ...'Anna,fled., [1],\n,\n\n,- ,1. ,12. ,# ,> ,| ,|--|--|,```,~~~ sh,**,`,<!-- ,-->,[a](b.c),[^1]: ,...,。,\u200b,\u2028,\r\n,\t,    ,---'.split(
      ',',
    ),
  )
  const draft = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(' '))
  const letters = (text: string) => text.replace(/[^\p{L}]/gu, '')

  it('has every word in a piece, in order', () =>
    fc.assert(
      fc.property(draft, (text) => {
        const pieces = piecesOf(text)
        expect(letters(pieces.map(({ raw }) => raw).join(''))).toBe(letters(text))
        expect(letters(pieces.map((piece) => piece.text).join(''))).toBe(letters(text))
        for (const { raw, from, to } of pieces) expect(text.slice(from, to)).toBe(raw)
      }),
      { seed: inject('seed'), numRuns: 500 },
    ))
  it('has no words without its pieces, and is unchanged if none is removed', () =>
    fc.assert(
      fc.property(draft, (text) => {
        expect(letters(withoutPieces(text, piecesOf(text)))).toBe('')
        expect(withoutPieces(text, [])).toBe(text)
      }),
      { seed: inject('seed'), numRuns: 500 },
    ))
  it('loses at least the words of the removed piece', () =>
    fc.assert(
      fc.property(draft, fc.nat(), (text, n) => {
        const pieces = piecesOf(text)
        const gone = pieces[n % pieces.length]
        if (!gone) return
        const left = letters(withoutPieces(text, [gone]))
        const most = letters(
          pieces
            .filter((each) => each !== gone)
            .map(({ raw }) => raw)
            .join(''),
        )
        expect(left.length).toBeLessThanOrEqual(most.length)
      }),
      { seed: inject('seed'), numRuns: 500 },
    ))
})
