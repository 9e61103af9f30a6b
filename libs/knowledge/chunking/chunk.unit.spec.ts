import type { Chunking, Markup } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { chunk, chunkingDefaults, contentId, withHeading } from './chunk'

type Settings = Partial<Extract<Chunking, { by: 'headings' }>>
const cut = (text: string, settings: Settings = {}, markup: Markup = 'markdown', id = 'd') =>
  chunk(
    { id, collection: 'c', title: 'Title' },
    { markup, parts: [{ text }] },
    { ...chunkingDefaults, ...settings, by: 'headings' },
  )
const shape = (text: string, settings?: Settings, markup?: Markup) =>
  cut(text, settings, markup).map(({ headingPath, text: said }) => [headingPath.join('/'), said])

const sentence = 'The quick brown fox jumps over the lazy dog.'
const paragraph = (sentences: number): string => Array.from({ length: sentences }, () => sentence).join(' ')
const table = (rows: number): string =>
  ['| Name | Value |', '|---|---|', ...Array.from({ length: rows }, (_, at) => `| row ${at} | ${at} |`)].join('\n')

describe('chunk: Markdown', () => {
  it('cuts at headings and keeps the heading path of each passage', () =>
    expect(shape('before\n\n# A\n\none\n\n## B\n\ntwo\n\n# C\n\nthree')).toEqual([
      ['', 'before'],
      ['A', 'one'],
      ['A/B', 'two'],
      ['C', 'three'],
    ]))

  it('cuts only at the given levels, and deeper headings stay in the text', () => {
    expect(shape('# A\n\none\n\n## B\n\ntwo', { levels: [1] })).toEqual([['A', 'one\n\n## B\n\ntwo']])
    expect(shape('# A\n\n#### D\n\nfour')).toEqual([['A', '#### D\n\nfour']])
    expect(shape('# A\n\n###### F\n\nsix', { levels: [1, 2, 3, 4, 5, 6] })).toEqual([['A/F', 'six']])
  })

  it('reads underlined headings, closing marks and marks inside headings', () =>
    expect(shape('A title\n=======\n\none\n\nSub *x*\n---\n\ntwo\n\n## **Bold** [link](u) `code` ##\n\nthree')).toEqual(
      [
        ['A title', 'one'],
        ['A title/Sub *x*', 'two'],
        ['A title/Bold link code', 'three'],
      ],
    ))

  it('omits tables of contents and links back to the top, but keeps lists with other text', () =>
    expect(
      shape(
        '# A\n\n- [B](#b)\n  1. [C d](#c-d)\n\n**[⬆ Top](#a)**\n\n## B\n\n- [B](#b) is short\n- [E](other.md#e)\n\n[Top](#a)',
      ),
    ).toEqual([['A/B', '- [B](#b) is short\n- [E](other.md#e)']]))

  it('omits anchors, comments and link definitions that stand alone', () => {
    const alone = '<a id="1.95-Language"></a>\n\n<!-- a note -->\n\n[a]: https://x.y/a\n[b c]: <https://x.y/b> "B"'
    expect(shape(`# A\n\n${alone}\n\none\n\n${alone}\n\n## B\n\nSee [b c].\n<a id="x">two</a>\n\n[1] three`)).toEqual([
      ['A', 'one'],
      ['A/B', 'See [b c].\n<a id="x">two</a>\n\n[1] three'],
    ])
    expect(shape(alone, {}, 'text')[0]?.[1]).toContain('https://x.y/a')
    const notes = '[^1]: See the rules of 2024: https://x.y/a\n[Note]: Ask first.\n[Anna]: Yes.'
    expect(shape(`# A\n\n${notes}`)).toEqual([['A', notes]])
  })

  it('reduces a heading to its words, without links, images and HTML', () =>
    expect(
      cut(
        '# Tool [![npm version](https://x.y/b.svg)](https://x.y) <a href="https://x.y"><img src="z" alt="no"></a>\n\n## Map&lt;T> of <T> and `<b>`\n\none',
      )[0]?.headingPath,
    ).toEqual(['Tool npm version', 'Map&lt;T> of <T> and <b>']))

  it('keeps signs in headings that are escaped or within a word', () =>
    expect(cut('# \\_\\_init\\_\\_.py\n\n## 1\\. a__b__c and __bold__ \\`x\\`\n\none')[0]?.headingPath).toEqual([
      '__init__.py',
      '1. a__b__c and bold `x`',
    ]))

  it('does not treat backticks around words in a line as a fence', () =>
    expect(shape('```npm ci``` first\n\n# A\n\none')).toEqual([
      ['', '```npm ci``` first'],
      ['A', 'one'],
    ]))

  it('finds no headings or tables inside a fence', () =>
    expect(shape('# A\n\n```sh\n# no heading\n| no | table |\n|---|---|\n\nstill\n```\n\nafter')).toEqual([
      ['A', '```sh\n# no heading\n| no | table |\n|---|---|\n\nstill\n```\n\nafter'],
    ]))

  it('cuts a long line of code between its values', () => {
    const values = Array.from({ length: 300 }, (_, at) => `"key${at}":${at * 1_000_003}`)
    const pieces = cut(`\`\`\`json\n{${values.join(',')}}\n\`\`\``, { maxChars: 300 }).map(({ text }) =>
      text.slice(8, -4),
    )
    expect(pieces.join('')).toBe(`{${values.join(',')}}`)
    expect(pieces.flatMap((text) => text.match(/"key\d+":\d+/g) ?? [])).toEqual(values)
  })

  it('keeps front matter unchanged', () =>
    expect(shape('---\ntitle: x\n---\n\n# A\n\none')).toEqual([
      ['', '---\ntitle: x\n---'],
      ['A', 'one'],
    ]))

  it('does not treat a rule below a list as a heading', () =>
    expect(shape('# A\n\n- one\n- two\n---\n\nthree\n\n***\n\nfour')).toEqual([
      ['A', '- one\n- two\n---\n\nthree\n\n***\n\nfour'],
    ]))

  it('makes no passage of a heading without text, but keeps its words', () => {
    expect(shape('# A\n\n## B\n\n## C\n\nthree\n\n#### D')).toEqual([['A/C', '## B\n\nthree\n\n#### D']])
    expect(shape('# A\n\none\n\n## B\n\n### C\n\n# D\n\nfour\n\n# E')).toEqual([
      ['A', 'one\n\n## B\n\n### C'],
      ['D', 'four\n\n# E'],
    ])
  })

  it('splits a long section between paragraphs into pieces of similar size within the limit', () => {
    const text = Array.from({ length: 12 }, (_, at) => `${at} ${paragraph(4)}`).join('\n\n')
    const pieces = cut(`# A\n\n${text}`, { maxChars: 800 }).map((passage) => passage.text)
    expect(pieces.join('\n\n')).toBe(text)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(800)
    expect(Math.min(...pieces.map((piece) => piece.length))).toBeGreaterThan(350)
  })

  it('splits a long paragraph between sentences, and a long sentence between words', () => {
    const pieces = cut(paragraph(40), { maxChars: 300 })
    expect(pieces.every((piece) => piece.text.endsWith('.') && piece.text.length <= 300)).toBe(true)
    const words = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ')
    const cutWords = cut(words, { maxChars: 300 })
    expect(cutWords.map((piece) => piece.text).join(' ')).toBe(words)
    expect(Math.max(...cutWords.map((piece) => piece.text.length))).toBeLessThanOrEqual(300)
    expect(
      cut('北京是首都，人口超过两千万。'.repeat(60), { maxChars: 100 }).every(
        ({ text }) => /^(?:北|人).*[，。]$/.test(text) && text.length <= 100,
      ),
    ).toBe(true)
    expect(cut('🦊'.repeat(500), { maxChars: 101 }).every((piece) => piece.text.isWellFormed())).toBe(true)
  })
})

describe('chunk: lists', () => {
  it('keeps a list with its lead-in', () => {
    const long = 'Words that fill a line of text. '.repeat(20).trim()
    const list = `* glass\n* ${'paint of any kind, '.repeat(34)}`.trim()
    expect(shape(`# A\n\n${long}\n\nNot allowed:\n\n${list}`)).toEqual([
      ['A', long],
      ['A', `Not allowed:\n\n${list}`],
    ])
  })
})

describe('chunk: tables', () => {
  it('keeps a table whole, under the heading of its section', () => {
    const pieces = shape(`# Doc\n\n## Table 1. Values\n\n${table(80)}\n\n${paragraph(30)}`)
    expect(pieces[0]).toEqual(['Doc/Table 1. Values', `Table 1. Values\n\n${table(80)}`])
    expect(pieces.slice(1).every(([, text]) => !text?.includes('|'))).toBe(true)
  })

  it('keeps the caption above a table with it', () => {
    const long = `${paragraph(30)}\n\n`
    expect(shape(`# A\n\n${long}**Table 3.** Rates by year\n\n${table(3)}`).at(-1)).toEqual([
      'A',
      `**Table 3.** Rates by year\n\n${table(3)}`,
    ])
    expect(shape(`# A\n\n${long}These are the rates:\n\n${table(3)}`).at(-1)).toEqual([
      'A',
      `These are the rates:\n\n${table(3)}`,
    ])
    expect(shape(`# A\n\n${long}#### Rates\n\n${table(3)}`).at(-1)).toEqual(['A', `Rates\n\n${table(3)}`])
    expect(shape(`# A\n\n${long}${table(3)}`).at(-1)).toEqual(['A', `A\n\n${table(3)}`])
  })

  it('keeps a short section and its table in one passage', () => {
    expect(shape(`# A\n\nIntro.\n\n${table(2)}\n\nAfter.`)).toEqual([['A', `Intro.\n\n${table(2)}\n\nAfter.`]])
    expect(shape(`# A\n\n${table(2)}\n\nAfter.`)).toEqual([['A', `A\n\n${table(2)}\n\nAfter.`]])
  })

  it('cuts a long table between rows, repeats caption and header in each piece, and marks the cuts', () => {
    const pieces = cut(`# A\n\n${table(2_000)}`)
    expect(pieces.length).toBeGreaterThan(3)
    pieces.forEach(({ text }, at) => {
      const start = `${at > 0 ? '…\n\n' : ''}A\n\n| Name | Value |\n|---|---|\n| row `
      expect(text.startsWith(start)).toBe(true)
      expect(text.endsWith('\n\n…')).toBe(at < pieces.length - 1)
      expect(text.length).toBeLessThanOrEqual(12_000)
    })
    expect(pieces.flatMap(({ text }) => text.match(/^\| row .*$/gm) ?? [])).toHaveLength(2_000)
  })

  it('keeps a long header without rows', () => {
    const header = `| ${'name '.repeat(4_000)}| b |\n|---|---|`
    expect(cut(`# A\n\n${header}`).map(({ text }) => text)).toEqual([`A\n\n${header}`])
  })

  it('cuts an HTML table like text, and ignores a table tag that is not closed', () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => `<tr><td>row ${at}</td></tr>`)
    const pieces = cut(`<table>\n${rows.join('\n')}\n</table>`)
    expect(pieces.map(({ text }) => text).join('\n')).toBe(`<table>\n${rows.join('\n')}\n</table>`)
    expect(Math.max(...pieces.map(({ text }) => text.length))).toBeLessThanOrEqual(12_000)
    expect(shape('# A\n\n<table> is a tag.\n\n# B\n\ntwo')).toEqual([
      ['A', '<table> is a tag.'],
      ['B', 'two'],
    ])
  })

  it('cuts a row that is too long for an embedder, and repeats the short cells in each part', () => {
    const long = Array.from({ length: 8_000 }, (_, at) => `word${at}`).join(' ')
    const pieces = cut(`| Name | Text | Note |\n|---|---|---|\n| Ash | ${long} | old |`).map(({ text }) => text)
    const parts = pieces.map(
      (text) => /^\| Name \| Text \| Note \|\n\|---\|---\|---\|\n\| Ash \| (.*) \| old \|$/m.exec(text)?.[1],
    )
    expect(parts.join(' ')).toBe(long)
    expect(Math.max(...pieces.map((text) => text.length))).toBeLessThan(12_100)
  })

  it('limits the amount of repeated text', () => {
    const header = `| Name | Value |\n|---|${'-'.repeat(11_900)}|`
    const rows = Array.from({ length: 1_000 }, (_, at) => `| row ${at} | ${'x'.repeat(50)} |`)
    const text = `${header}\n${rows.join('\n')}`
    expect(cut(text).reduce((sum, piece) => sum + piece.text.length, 0)).toBeLessThan(10 * text.length)
    const stacked = `| a | b | c |\n|---|---|---|\n| ${'x<br>'.repeat(2_000)} | ${'y<br>'.repeat(2_000)} | ${'z'.repeat(10_000)} |`
    expect(cut(stacked).reduce((sum, piece) => sum + piece.text.length, 0)).toBeLessThan(2 * stacked.length)
  })

  it('reads tables without outer pipes and HTML tables', () => {
    expect(shape(`# A\n\n${paragraph(30)}\n\na | b\n:-- | --:\n1 | 2\n\nend`).at(-2)).toEqual([
      'A',
      'A\n\na | b\n:-- | --:\n1 | 2',
    ])
    expect(shape(`# A\n\n${paragraph(30)}\n\n<table>\n<tr><td>1</td></tr>\n\n</table>`).at(-1)).toEqual([
      'A',
      'A\n\n<table>\n<tr><td>1</td></tr>\n\n</table>',
    ])
  })
})

describe('chunk: text', () => {
  it('joins paragraphs up to the given size and finds no headings', () => {
    expect(shape('# one\n\ntwo\n\n\n\nthree', {}, 'text')).toEqual([['', '# one\n\ntwo\n\nthree']])
    expect(shape('one\n\ntwo\n\nthree', { maxChars: 5 }, 'text')).toEqual([
      ['', 'one'],
      ['', 'two'],
      ['', 'three'],
    ])
  })
  it('cuts at underlined titles, whose levels are in the order of first use', () =>
    expect(
      shape(
        '=====\nNotes\n=====\n\nabove\n\nVersion 2.1\n-----------\n- New: a lid.\n\nFixes\n~~~~~\n\none\n\nVersion 2.0\n-----------\n\ntwo',
        {},
        'text',
      ),
    ).toEqual([
      ['Notes', 'above'],
      ['Notes/Version 2.1', '- New: a lid.'],
      ['Notes/Version 2.1/Fixes', 'one'],
      ['Notes/Version 2.0', 'two'],
    ]))

  it('cuts at the headings of an outline', () =>
    expect(
      shape(
        'Lid NEWS\n\n* Changes in 2.1 (2024)\n\n** Fixes\n\n  The lid closes.\n\n* Changes in 2.0\n\nnone',
        {},
        'text',
      ),
    ).toEqual([
      ['', 'Lid NEWS'],
      ['Changes in 2.1 (2024)/Fixes', 'The lid closes.'],
      ['Changes in 2.0', 'none'],
    ]))

  it.each([
    ['the head of a table', 'Name      Amount\n----------------\nLid            3'],
    ['a rule below a longer line', 'The lid is closed by hand and stays closed.\n-----\nBy Ann'],
    ['a rule below several lines', 'one\ntwo\n---'],
    ['a list of two levels', '* one\n\n** two\n\n** three\n\n* four'],
    ['a line between stars', '** Note **\n\nThe lid is new.\n\n* one\n\n* two\n\nAsk Ann.\n\nAsk Ben.'],
    ['a rule alone', '-----\n\none'],
  ])('finds no title in %s', (_, text) =>
    expect(shape(`${text}\n\nend`, {}, 'text').map(([path]) => path)).toEqual(['']),
  )

  it('treats lines as paragraphs if there are no blank lines', () =>
    expect(shape('one\ntwo', { maxChars: 5 }, 'text')).toEqual([
      ['', 'one'],
      ['', 'two'],
    ]))
})

describe('chunk: ids', () => {
  const ids = (text: string, id?: string) => cut(text, {}, 'markdown', id).map((passage) => passage.id)
  it('are the same for the same content, whatever surrounds it', () => {
    const [a, b] = ids('# A\n\none\n\n# B\n\ntwo')
    expect(ids('# B\n\ntwo\n\n# A\n\none')).toEqual([b, a])
    expect(ids('\uFEFF# A\r\n\r\none\r\n')).toEqual([a])
  })
  it('differ by document, heading and text, and for repeats', () => {
    const all = [...ids('# A\n\none\n\n# A\n\none\n\n# B\n\none\n\n# A\n\ntwo'), ...ids('# A\n\none', 'other')]
    expect(new Set(all).size).toBe(5)
    expect(all.every((id) => /^p[0-9a-f]{32}$/.test(id))).toBe(true)
  })
  it('do not collide for 200,000 passages', () =>
    expect(new Set(Array.from({ length: 200_000 }, (_, at) => contentId(`passage ${at}`))).size).toBe(200_000))
  it('come with positions in order', () =>
    expect(cut('# A\n\none\n\n# B\n\ntwo').map(({ position }) => position)).toEqual([0, 1]))
})

describe('chunk: empty documents', () => {
  it.each(['', '   \n\n ', '# Only\n\n## Headings', '\uFEFF'])('give no passage: %j', (text) =>
    expect(cut(text)).toEqual([]),
  )
})

describe('withHeading', () => {
  it('writes title and headings above the text, each once', () =>
    expect(withHeading({ title: 'A', headingPath: ['A', 'B'], text: 'said' })).toBe('A · B\nsaid'))

  it('does not repeat a title that is followed by its file name', () =>
    expect(withHeading({ title: 'A · a.pdf', file: 'a.pdf', headingPath: ['A', 'B'], text: 'said' })).toBe(
      'A · a.pdf · B\nsaid',
    ))
})
