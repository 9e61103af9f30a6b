import { describe, expect, it } from 'vitest'
import type { Quote, RunView } from '@plumbline/contracts'
import { runLines } from './answer'
import { markdownLines } from './markdown'
import { joinedQuotes, textWithoutQuotes } from './quotes'
import { colored, plain, widthOf } from './text'

const screen = { paint: plain, width: 80 }
const quote = (text: string, over: Partial<Quote> = {}): Quote => ({
  n: 1,
  passageId: 'p1',
  documentId: 'd1',
  title: 'Water report',
  headingPath: ['Water report', 'Use', 'Sites'],
  text,
  marks: [],
  ...over,
})
const marksOf = (text: string, ...words: string[]): Quote['marks'] =>
  words.map((word) => [text.indexOf(word), text.indexOf(word) + word.length])
const view = (over: Partial<RunView>): RunView => ({
  id: 'r1',
  status: 'answered',
  question: 'q',
  policy: 'standard',
  skills: 'offline',
  plan: { steps: [] },
  queriesAttempted: 1,
  rewrites: 0,
  documentsUsed: [],
  usage: { calls: 0, tokensIn: 0, tokensOut: 0, cents: 0 },
  timings: { createdAt: '', deadlineAt: '' },
  ...over,
})
/** Builds the text like the gateway does: the answer, then each quote below its source. */
const textWith = (said: string, quotes: Quote[]): string =>
  [said, ...quotes.flatMap(({ n, title, text }) => [`${title} [${n}]`, text])].join('\n\n')

const rows = [
  '| Site | Withdrawal (megalitres) | Remarks |',
  '|---|---:|---|',
  '| Singapore (2nd facility) | 1,204 | The cooling towers were changed to reclaimed water in the second half of the year |',
  '| Hamina | 98 | Sea water \\| closed loop |',
]

describe('Markdown at a width', () => {
  it('aligns a table, wraps its cells and draws its header once', () => {
    expect(markdownLines({ text: rows.join('\n'), marks: [] }, { paint: plain, width: 60 })).toEqual([
      'Site          Withdrawal  Remarks',
      '            (megalitres)',
      '──────────  ────────────  ──────────────────────────────────',
      'Singapore          1,204  The cooling towers were changed to',
      '(2nd                      reclaimed water in the second half',
      'facility)                 of the year',
      'Hamina                98  Sea water | closed loop',
    ])
  })

  it('lists the cells of a table that has too many columns for the width', () => {
    const years = ['Year', ...Array.from({ length: 12 }, (_, at) => `Figure${at + 2008}`)]
    const text = [years, years.map(() => '---'), years.map((_, at) => `${at}`)]
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n')
    const lines = markdownLines({ text, marks: [] }, screen)
    expect(lines).toHaveLength(13)
    expect(lines.slice(0, 2)).toEqual(['Year        0', 'Figure2008  1'])
  })

  it('wraps a paragraph whatever its lines, an item below its text, and leaves code unchanged', () => {
    const text =
      '## Not OK\n\nThings nobody\nmay do here:\n\n- share a key with anybody\n- log it\n\n…\n\n```sh\nif true; then\n  rm -rf a-very-long-name-indeed\nfi\n```'
    expect(markdownLines({ text, marks: [] }, { paint: plain, width: 20 }, '  ')).toEqual([
      '  ## Not OK',
      '',
      '  Things nobody may',
      '  do here:',
      '',
      '  - share a key with',
      '    anybody',
      '  - log it',
      '',
      '  …',
      '',
      '      if true; then',
      '        rm -rf a-very-long-name-indeed',
      '      fi',
    ])
  })

  it('shows marked words bold in prose, cells and code, and nothing else', () => {
    const bold = (text: string, ...words: string[]): string =>
      markdownLines({ text, marks: marksOf(text, ...words) }, { paint: colored, width: 80 }).join('\n')
    const b = colored.bold
    expect(bold('Some water use here.', 'water', 'here')).toBe(`Some ${b('water')} use ${b('here')}.`)
    expect(bold('```\n  let water = 1\n```', 'water')).toBe(`      let ${b('water')} = 1`)
    expect(bold(rows.join('\n'), 'Hamina').split('\n').at(-1)).toContain(b('Hamina'))
  })

  it('lets no document steer the terminal, and breaks what is written without spaces', () => {
    expect(markdownLines({ text: 'a\x1b[2Jb \x07c', marks: [[0, 1]] }, screen)).toEqual(['ab c'])
    const lines = markdownLines({ text: '水の使用量は前年より少なかった', marks: [] }, { paint: plain, width: 10 })
    expect(lines.map(widthOf)).toEqual([10, 10, 10])
    const address = `https://example.org/${'a'.repeat(40)}`
    expect(markdownLines({ text: address, marks: [] }, { paint: plain, width: 20 })).toEqual([address])
  })

  it.each([20, 40, 60, 80, 110])('is never wider than %i columns', (width) => {
    const lines = markdownLines(
      { text: `Some words before.\n\n${rows.join('\n')}`, marks: [] },
      { paint: plain, width },
    )
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
  })
})

describe('a quoted answer', () => {
  const text = 'Anybody may bring a guest. Guests sign in at the desk.'
  const quotes = [
    quote(text, { page: 3, file: 'water.pdf' }),
    quote('- A guest leaves by six.', { n: 2, passageId: 'p2', headingPath: [] }),
  ]
  const answer = { kind: 'quoted' as const, text: textWith('No model is set up.', quotes), citations: [], quotes }

  it('says the sentence first, then each place with its words', () => {
    expect(runLines(view({ reason: 'answered.quoted', answer }), screen).slice(0, -2)).toEqual([
      '',
      'No model is set up.',
      '',
      '[1] Water report › Use › Sites (p. 3)',
      '    water.pdf',
      '',
      `    ${text}`,
      '',
      '[2] Water report',
      '',
      '    - A guest leaves by six.',
    ])
  })

  it('keeps of its text what no quote says', () => {
    expect(textWithoutQuotes(answer)).toBe('No model is set up.')
    expect(textWithoutQuotes({ text: textWith('First.\n\nSecond.', quotes), quotes })).toBe('First.\n\nSecond.')
    expect(textWithoutQuotes({ text: 'Untouched.' })).toBe('Untouched.')
  })
})

describe('rows that an answer was read from', () => {
  const [header, delimiter, first, second] = rows
  const row = (line = ''): string => [header, delimiter, line].join('\n')
  const [one, two] = [row(first), row(second)]

  it('are one table under one header where they are of one, with their marks', () => {
    const both = joinedQuotes([
      quote(one, { marks: marksOf(one, 'Singapore') }),
      quote(two, { marks: marksOf(two, 'Hamina', 'Site') }),
    ])
    expect(both.map(({ text }) => text)).toEqual([rows.join('\n')])
    expect(both[0]?.marks.map(([from, to]) => both[0]?.text.slice(from, to))).toEqual(['Singapore', 'Hamina'])
    expect(joinedQuotes([quote(one), quote(two, { passageId: 'p2' })])).toHaveLength(2)
    expect(joinedQuotes([quote(one), quote('| Site |\n|---|\n| Hamina |')])).toHaveLength(2)
    const [led, other] = [quote(`In 2019:\n\n${one}`), quote(`In 2019:\n\n${two}`)]
    expect(joinedQuotes([led, other]).map(({ text }) => text)).toEqual([`In 2019:\n\n${rows.join('\n')}`])
    expect(joinedQuotes([led, quote(two)])).toHaveLength(2)
    expect(joinedQuotes([quote('Prose.'), quote('Other prose.')])).toHaveLength(2)
  })

  it('say how many rows of their table are shown, if not all', () => {
    const of = (shown: number, all: number) => ({ rows: { shown, of: all } })
    const from = (...quotes: Quote[]): string[] => {
      const answer = { kind: 'written' as const, text: textWith('It was 98 [1].', quotes), citations: quotes, quotes }
      return runLines(view({ answer }), screen).filter((line) => line.startsWith('From'))
    }
    expect(from(quote(two, of(1, 8)))).toEqual(['From [1], 1 of 8 rows'])
    expect(from(quote(one, of(1, 8)), quote(two, of(1, 8)))).toEqual(['From [1], 2 of 8 rows'])
    expect(from(quote(one, of(1, 8)), quote(rows.join('\n'), of(2, 8)))).toEqual(['From [1], 2 of 8 rows'])
    expect(from(quote(one, of(1, 2)), quote(two, of(1, 2)))).toEqual(['From [1]'])
    expect(from(quote(rows.join('\n')))).toEqual(['From [1]'])
    const quotes = [quote(two, of(1, 8))]
    const quoted = { kind: 'quoted' as const, text: textWith('No model is set up.', quotes), citations: [], quotes }
    expect(runLines(view({ answer: quoted }), screen)).toContain('    1 of 8 rows')
  })

  it('are below the sources of a written answer', () => {
    const quotes = [quote(two)]
    const answer = { kind: 'written' as const, text: textWith('It was 98 [1].', quotes), citations: quotes, quotes }
    const shown = runLines(view({ reason: 'answered.checked', answer }), screen)
    expect(shown.slice(1, 7)).toEqual([
      'It was 98 [1].',
      '',
      'Sources',
      '  [1] Water report › Use › Sites',
      '',
      'From [1]',
    ])
    expect(shown[7]).toBe('    Site    Withdrawal (megalitres)  Remarks')
    expect(shown[9]).toBe('    Hamina                       98  Sea water | closed loop')
  })
})

it('an unanswered question lists the closest places and what was searched for', () => {
  const unanswered = view({
    status: 'unanswered',
    reason: 'unanswered.not-in-documents',
    answer: { kind: 'written', text: 'I found no place that answers “q”.', citations: [] },
    nearest: [quote('…', { file: 'water.pdf' })],
    queries: ['water in 2019', 'withdrawal'],
  })
  expect(runLines(unanswered, screen).slice(1, -2)).toEqual([
    'I found no place that answers “q”.',
    '',
    'The closest passages are:',
    '[1] Water report › Use › Sites',
    '    water.pdf',
    '',
    'Searched for “water in 2019”, “withdrawal”',
  ])
  const answered = view({ queries: ['withdrawal'], answer: { kind: 'written', text: 'So.', citations: [] } })
  expect(runLines(answered, screen).join('\n')).not.toContain('Searched for')
  expect(runLines(answered, screen, { trace: true }).join('\n')).toContain('Searched for “withdrawal”')
})
