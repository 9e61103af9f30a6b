import { describe, expect, it } from 'vitest'
import { chunk } from './chunk'
import { tokenCount } from './by-tokens'

const source = { id: 'd', collection: 'c', title: 'Title' }
const cut = (text: string, size: number, overlap: number) =>
  chunk(source, { markup: 'markdown', parts: [{ text }] }, { by: 'tokens', size, overlap })
const sentence = (at: number): string => `Sentence ${at} tells how the quick brown fox went over the lazy dog.`
const prose = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, at) => sentence(from + at)).join(' ')

describe('tokenCount', () => {
  it('is about a quarter of the characters in prose', () => {
    const text =
      'The commission published its report on renewable electricity in March; nobody had expected that demand would grow by 12.5% within a single year.'
    expect(text.length / tokenCount(text)).toBeGreaterThan(3.2)
    expect(text.length / tokenCount(text)).toBeLessThan(5)
  })
  it('counts punctuation, digits and scripts without blanks', () => {
    expect(tokenCount('')).toBe(0)
    expect(tokenCount('a, b')).toBe(3)
    expect(tokenCount('1234567')).toBe(3)
    expect(tokenCount('東京都')).toBe(3)
    expect(tokenCount('Zürich, extraordinarily')).toBe(tokenCount('Zurich, extraordinarily'))
  })
})

describe('chunk by tokens', () => {
  it('keeps a short document in one passage', () =>
    expect(cut('# A\n\none\n\n## B\n\ntwo', 100, 20).map(({ text }) => text)).toEqual(['# A\n\none\n\n## B\n\ntwo']))

  it('begins each passage with the end of the one before', () => {
    const pieces = cut(Array.from({ length: 12 }, (_, at) => prose(3, at * 3)).join('\n\n'), 120, 30).map(
      ({ text }) => text,
    )
    expect(pieces.length).toBeGreaterThan(3)
    pieces.slice(1).forEach((text, at) => {
      const opening = text.slice(0, text.indexOf('.') + 1)
      expect(pieces[at]?.includes(opening), `${opening} is in the passage before`).toBe(true)
    })
    expect(pieces.every((text) => tokenCount(text) <= 120)).toBe(true)
  })

  it('returns the heading path where a passage begins, and keeps a heading with its text', () => {
    const pieces = cut(`# A\n\n${prose(4)}\n\n## B\n\n${prose(4, 4)}\n\n## C\n\n${prose(4, 8)}`, 80, 10)
    const of = (heading: string) => pieces.find(({ text }) => text.includes(`# ${heading}`))
    expect(of('B')?.text).toMatch(/## B\n\nSentence 4/)
    expect(of('C')?.text).toMatch(/## C\n\nSentence 8/)
    expect(pieces.at(-1)?.headingPath).toEqual(['A', 'C'])
  })

  it('cuts a table between rows, with caption and header in each piece and each row once', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| row ${at} | value ${at} |`)
    const pieces = cut(
      `# A\n\n${prose(2)}\n\n**Table 1.** Values\n\n| Name | Value |\n|---|---|\n${rows.join('\n')}\n\n${prose(2, 2)}`,
      150,
      40,
    )
    const tables = pieces.filter(({ text }) => text.includes('| row'))
    expect(tables.length).toBeGreaterThan(3)
    for (const { text } of tables) expect(text).toContain('**Table 1.** Values\n\n| Name | Value |\n|---|---|\n| row ')
    expect(tables.flatMap(({ text }) => text.match(/^\| row .*$/gm) ?? [])).toEqual(rows)
  })

  it('repeats fence and language where code is cut, at blank lines first', () => {
    const part = (at: number) => `def f${at}():\n    return ${at}`
    const code = Array.from({ length: 30 }, (_, at) => part(at)).join('\n\n')
    const pieces = cut(`# A\n\n\`\`\`py\n${code}\n\`\`\``, 60, 0)
      .map(({ text }) => text.replace(/^# A\n*/, ''))
      .filter((text) => text !== '')
    expect(pieces.length).toBeGreaterThan(3)
    for (const text of pieces) expect(text).toMatch(/^```py\ndef f[\s\S]*return \d+\n```$/)
    expect(pieces.map((text) => text.slice(6, -4)).join('\n\n')).toBe(code)
  })

  it('merges many short sections into passages of the given size', () => {
    const pieces = cut('# A\n\n## B\n\nword\n\n'.repeat(500), 200, 20)
    expect(pieces.length).toBeLessThan(25)
    expect(pieces.every(({ text }) => tokenCount(text) <= 200)).toBe(true)
  })

  it('returns no passage for headings alone', () => expect(cut('# A\n\n## B', 100, 0)).toEqual([]))
})
