import type { Passage } from '@plumbline/contracts'
import { describe, expect, it } from 'vitest'
import { chunk } from '../chunking/chunk'
import { closestQuotes } from './closest-quotes'

const passage = (text: string, headingPath: string[] = ['Handbook'], id = 'p1'): Passage => ({
  id,
  documentId: 'd1',
  collection: 'c',
  title: 'Handbook',
  text,
  headingPath,
  position: 0,
})

const first = (question: string, text: string, maxChars?: number): string =>
  closestQuotes(question, [passage(text)], maxChars === undefined ? {} : { maxChars })[0]?.text ?? ''

const filler = (about: string): string =>
  `${about} is told at length here, with much that nobody has asked about at all.`

describe('the closest places', () => {
  it('are three at most, from one or several passages, best first', () => {
    const all = [
      passage('Parking is free.\n\nThe gate opens at six.', ['Site'], 'a'),
      passage(filler('The canteen'), ['Food'], 'b'),
      passage('Visitors park behind the gate.', ['Visitors'], 'c'),
      passage('A gate pass costs nothing.', ['Passes'], 'd'),
      passage('The gate is painted.', ['Paint'], 'e'),
    ]
    const places = closestQuotes('When does the gate open?', all)
    expect(places).toHaveLength(3)
    expect(places[0]).toMatchObject({ passageId: 'a' })
    expect(places[0]?.text).toContain('The gate opens at six.')
    expect(places.map(({ passageId }) => passageId)).not.toContain('b')
    expect(closestQuotes('When does the gate open?', all, { most: 1 })).toHaveLength(1)
  })

  it('are the beginnings of the first passages if no word is shared', () => {
    const all = ['a', 'b', 'c', 'd'].map((id) =>
      passage(`${filler(id)}\n\n${filler('Tar').repeat(9)}`, ['Handbook'], id),
    )
    const places = closestQuotes('submarine', all, { maxChars: 90 })
    expect(places).toEqual(['a', 'b', 'c'].map((id) => ({ passageId: id, text: filler(id), marks: [] })))
    expect(closestQuotes('submarine', [passage('# Only a heading')])).toMatchObject([{ text: '# Only a heading' }])
    expect(closestQuotes('submarine', [])).toEqual([])
  })

  it('are merged if they touch, or if they are rows of one table and fit together', () => {
    const gate = `${filler('The gate')} ${filler('Another gate')}`
    expect(closestQuotes('gate', [passage(gate)], { maxChars: 90 }).map(({ text }) => text)).toEqual([gate])
    const head = '| Tree | Use |\n|---|---|'
    const trees = `${head}\n| Ash | oars and oars and handles of tools |\n| Elm | boats |\n| Oak | oars |`
    expect(closestQuotes('oars', [passage(trees)]).map(({ text }) => text)).toEqual([
      `${head}\n| Ash | oars and oars and handles of tools |\n| Oak | oars |`,
    ])
  })

  it('quote the header of a table once, even if a row is longer than a quote', () => {
    const head = '| Tree | Use |\n|---|---|'
    const trees = [`| Ash | ${'oars and '.repeat(20)} |`, '| Elm | boats |', `| Oak | ${'oars and '.repeat(20)} |`]
    const places = closestQuotes('oars', [passage([head, ...trees].join('\n'))], { maxChars: 90 })
    expect(places).toHaveLength(1)
  })

  it('are shorter after the first, and fewer once they contain all words of the question', () => {
    const all = [
      passage(`The gate opens at six. ${filler('Dawn')} ${filler('Dusk')}`, ['Site'], 'a'),
      passage(`A gate is made of oak. ${filler('Ash')} ${filler('Elm')}`, ['Wood'], 'b'),
      passage(filler('Every gate of every wood'), ['Forest'], 'c'),
    ]
    const later = { maxChars: 60, share: 0 }
    const places = closestQuotes('When does the gate open?', all, { later })
    expect(places.map(({ passageId }) => passageId)).toEqual(['a', 'b', 'c'])
    expect(places[0]?.text).toBe(all[0]?.text)
    expect(places[1]?.text).toBe('A gate is made of oak.')
    const fewer = closestQuotes('When does the gate open?', all, { later: { ...later, share: 0.9 } })
    expect(fewer.map(({ passageId }) => passageId)).toEqual(['a'])
    const missing = closestQuotes('When does the gate of oak open?', all, { later: { ...later, share: 0.9 } })
    expect(missing.map(({ passageId }) => passageId)).toEqual(['a', 'b'])
  })

  it('are lines if nothing ends a sentence', () => {
    const ports = Array.from({ length: 60 }, (_, at) => `service-${at}\t${9000 + at}/tcp`)
    const list = [...ports, 'ssh\t22/tcp\tSecure Shell', ...ports].join('\n')
    const [place] = closestQuotes('Which port is for ssh?', [
      passage(filler('A port').repeat(3), ['Other'], 'o'),
      passage(list),
    ])
    expect(place?.passageId).toBe('p1')
    expect(place?.text).toContain('ssh\t22/tcp\tSecure Shell')
    expect(place?.text.length).toBeLessThanOrEqual(650)
  })

  it('never include a lead-in alone once its items are quoted', () => {
    const rules = `What to bring to the lake:\n\n* ${filler('Bread')}\n* a boat for the lake, the lake being deep`
    expect(closestQuotes('lake', [passage(rules)], { maxChars: 90 })).toHaveLength(1)
  })

  it('keep the search order if lines are the same', () => {
    const alike = ['x', 'y', 'z'].map((id) => passage('The lift is on the left.', ['Handbook'], id))
    expect(closestQuotes('Where is the lift?', alike).map(({ passageId }) => passageId)).toEqual(['x', 'y', 'z'])
  })

  it('match the heading of a line too', () => {
    const places = closestQuotes('vacation', [
      passage('Every employee has 15 days.', ['Handbook', 'Vacation']),
      passage('Every employee has a desk.', ['Handbook', 'Desks'], 'p2'),
    ])
    expect(places.map(({ passageId }) => passageId)).toEqual(['p1'])
  })

  it('mark the words shared with the question, also within an identifier', () => {
    const [place] = closestQuotes('crashes of airlines', [passage('The airline has a column crashes_85_99.')])
    expect(place?.marks.map(([from, to]) => place.text.slice(from, to))).toEqual(['airline', 'crashes_85_99'])
  })
})

describe('a place', () => {
  it('is the text around its best line, word for word', () => {
    const lines = Array.from({ length: 30 }, (_, at) => filler(`Chapter ${at}`))
    const text = [...lines.slice(0, 15), 'The alarm is tested on Mondays.', ...lines.slice(15)].join(' ')
    const place = first('When is the alarm tested?', text)
    expect(place).toContain('The alarm is tested on Mondays.')
    expect(place.length).toBeLessThanOrEqual(600)
    expect(text).toContain(place)
  })

  it('keeps the line breaks of a paragraph', () => {
    const text = 'The alarm is tested\non Mondays. Nobody\nneeds to leave.'
    expect(first('alarm', text)).toBe(text)
  })

  const rules = `What may come in:

* water
* ${filler('Bread')}
* ${filler('Cheese')}

You may not bring:

* ${filler('Fireworks')}
* ${filler('Glass')}
* ${filler('Paint')}
* alcohol
* ${filler('Tar')}

Ask the guard.`

  it('puts the lead-in of a list above an item, and marks omitted lines', () => {
    expect(first('Can I bring alcohol?', rules, 60)).toBe('You may not bring:\n\n…\n\n* alcohol')
    expect(first('Is water allowed?', rules, 40)).toBe('What may come in:\n\n* water')
  })

  it('does not put a lead-in above the text after its list', () => {
    expect(first('guard', rules, 30)).toBe('Ask the guard.')
  })

  it('includes the parent items of a nested item', () => {
    const nested = 'Tools:\n\n- For wood\n  - saw\n  - plane\n- For metal\n  - file\n  - hacksaw'
    expect(first('hacksaw', nested, 40)).toBe('Tools:\n\n…\n\n- For metal\n\n…\n\n  - hacksaw')
  })

  it('includes the headings above it in the passage, except those in the heading path', () => {
    expect(first('fee', 'Handbook\n\n#### Guests\n\nThe fee is 5.')).toBe('#### Guests\n\nThe fee is 5.')
  })

  const rows = [
    '| Model | Price | Weight |',
    '|---|---|---|',
    ...Array.from({ length: 40 }, (_, at) => `| M${at} | ${at}0 | ${at} kg |`),
  ]

  it('is a small table with the header and the matching rows', () => {
    const place = first('price of M7 and M31', `Prices:\n\n${rows.join('\n')}`)
    expect(place).toBe(
      'Prices:\n\n| Model | Price | Weight |\n|---|---|---|\n| M7 | 70 | 7 kg |\n| M31 | 310 | 31 kg |',
    )
  })

  const stock = (most: number): string =>
    [
      'Products and their reorder level',
      '',
      '| Article | In stock | Reorder at |',
      '|---|---|---|',
      ...Array.from({ length: most }, (_, at) => `| A${at} of oak | ${at} | 9 |`),
    ].join('\n')
  const placeOf = (question: string, text: string) => closestQuotes(question, [passage(text)])[0]

  it('is a whole small table if the question names none of its rows', () => {
    const place = placeOf('Which products are below their reorder level?', stock(15))
    expect(place?.text.match(/of oak/g)).toHaveLength(15)
    expect(place).not.toHaveProperty('rows')
    const withLongRow = stock(15).replace('| A7 of oak', `| A7 of oak, ${'planed and oiled, '.repeat(15)}`)
    expect(placeOf('Which products are below their reorder level?', withLongRow)?.text.match(/of oak/g)).toHaveLength(
      15,
    )
  })

  it('reports how many rows of a longer table it shows', () => {
    const place = placeOf('Which products are below their reorder level?', stock(56))
    const shown = place?.text.match(/of oak/g)?.length ?? 0
    expect(place?.text).toContain('| A0 of oak |')
    expect(place?.rows).toEqual({ shown, of: 56 })
    expect(placeOf('price of M7 and M31', `Prices:\n\n${rows.join('\n')}`)?.rows).toEqual({ shown: 2, of: 40 })
  })

  it('says so too if it shares no word with the question', () => {
    const table = (most: number): string => stock(most).split('\n').slice(2).join('\n')
    const place = placeOf('Xylophone?', table(56))
    const shown = place?.text.match(/of oak/g)?.length ?? 0
    expect(shown).toBeGreaterThan(0)
    expect(place?.rows).toEqual({ shown, of: 56 })
    expect(placeOf('Xylophone?', table(15))).not.toHaveProperty('rows')
  })

  it('includes the rows with matching cells, however long the cells are', () => {
    const long = `| Oak | ${filler('Wood').repeat(3)} oak |`
    const short = Array.from({ length: 20 }, (_, at) => `| T${at} | x |`)
    const table = ['| Tree | Use |', '|---|---|', long, ...short].join('\n')
    expect(first('use of oak trees', table)).toBe(`| Tree | Use |\n|---|---|\n${long}`)
  })

  it('never ends within a row, however long the row is', () => {
    const row = `| Ash | ${filler('Ash').repeat(20)} |`
    expect(first('ash', `| Tree | Text |\n|---|---|\n${row}`)).toBe(`| Tree | Text |\n|---|---|\n${row}`)
  })

  it('keeps code in its fences', () => {
    const code = [
      '```sh',
      'make install',
      ...Array.from({ length: 30 }, (_, at) => `echo step ${at}`),
      'make verify',
      '```',
    ]
    const place = first('verify', `Then run this:\n\n${code.join('\n')}`, 120)
    expect(place.startsWith('Then run this:\n\n')).toBe(true)
    expect(place).toContain('```sh\n')
    expect(place.endsWith('make verify\n```')).toBe(true)
    expect(place.length).toBeLessThanOrEqual(130)
  })

  it('omits the mark where a table was cut', () => {
    const parts = chunk(
      { id: 'd', collection: 'c', title: 'Prices' },
      { markup: 'markdown', parts: [{ text: `# Prices\n\n${rows.join('\n')}` }] },
      { by: 'tokens', size: 160, overlap: 0 },
    )
    expect(parts.length).toBeGreaterThan(1)
    expect(closestQuotes('weight of M31', parts)[0]?.text).toContain('| M31 | 310 | 31 kg |')
    expect(
      closestQuotes('weight of M31', parts)
        .map(({ text }) => text)
        .join(),
    ).not.toContain('…')
  })
})

describe('other languages', () => {
  it('are matched by their words', () => {
    expect(first('Wann ist der Alarm?', 'Die Kantine ist offen. Der Alarm ist am Montag.', 30)).toBe(
      'Der Alarm ist am Montag.',
    )
    expect(first("Où est l'entrée ?", "La cantine est fermée. L'entrée est à gauche.", 30)).toBe(
      "L'entrée est à gauche.",
    )
  })
})
