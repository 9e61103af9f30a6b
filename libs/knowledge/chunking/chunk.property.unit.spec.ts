import type { Chunking, ParsedDocument } from '@plumbline/contracts'
import { array, assert, constantFrom, integer, oneof, property, record, tuple, type Arbitrary } from 'fast-check'
import { describe, expect, inject, it } from 'vitest'
import { chunk } from './chunk'
import { tokenCount } from './by-tokens'

const word = oneof(
  constantFrom(
    'alpha',
    'beta.',
    'Gamma',
    'e.g.',
    '12.5%',
    'x,',
    '(y)',
    'Dr.',
    '- z',
    '東京',
    '🦊',
    'verylongword'.repeat(9),
  ),
  constantFrom('a|b', '**c**', '1.', '[1]'),
)
const words = (most: number): Arbitrary<string> =>
  array(word, { minLength: 1, maxLength: most }).map((all) => all.join(' '))
const cell = array(constantFrom('one', '2', '3.5', 'n/a'), { maxLength: 3 }).map((all) => all.join(' '))
let serial = 0
const table = array(tuple(cell, cell), { minLength: 1, maxLength: 60 }).map((rows) =>
  ['| Name | Value | Nr |', '|---|---|---|', ...rows.map(([a, b]) => `| ${a} | ${b} | r${(serial += 1)} |`)].join('\n'),
)
const code = array(words(12), { minLength: 1, maxLength: 30 }).map((lines) => ['```py', ...lines, '```'].join('\n'))
const heading = tuple(integer({ min: 1, max: 6 }), words(3)).map(([level, text]) => `${'#'.repeat(level)} ${text}`)
const block = oneof(
  words(150),
  array(words(15), { minLength: 1, maxLength: 12 }).map((lines) => lines.join('\n')),
  heading,
  heading,
  table,
  code,
)
const document: Arbitrary<ParsedDocument> = array(array(block, { maxLength: 8 }), { minLength: 1, maxLength: 4 }).map(
  (parts) => ({
    markup: 'markdown',
    parts: parts.map((blocks, at) => ({ page: at + 1, text: blocks.join('\n\n') })),
  }),
)
const chunking: Arbitrary<Chunking> = oneof(
  integer({ min: 200, max: 1_500 }).map((maxChars): Chunking => ({ by: 'headings', levels: [1, 2, 3], maxChars })),
  record({ size: integer({ min: 50, max: 400 }), share: integer({ min: 0, max: 50 }) }).map(
    ({ size, share }): Chunking => ({ by: 'tokens', size, overlap: Math.floor((size * share) / 100) }),
  ),
)
const source = { id: 'd', collection: 'c', title: 'T' }
const cut = (parsed: ParsedDocument, settings: Chunking) => chunk(source, parsed, settings)
const whole = ({ parts }: ParsedDocument): string => parts.map(({ text }) => text).join('\n')
const hasText = (parsed: ParsedDocument): boolean =>
  whole(parsed)
    .split('\n')
    .some((line) => line.trim() !== '' && !line.startsWith('#'))
const letters = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? []
/** Removes the fence lines of code, because each part of a split code block repeats these lines. */
const unfenced = (text: string): string => text.replace(/^```.*$/gm, '')
const isRow = (line: string): boolean => /^\| .* r\d+ \|$/.test(line)

describe('chunk: for every document', () => {
  it('every word is in some passage', () =>
    assert(
      property(document, chunking, (parsed, settings) => {
        if (!hasText(parsed)) return
        const passages = cut(parsed, settings)
        const text = unfenced(passages.map((passage) => passage.text).join('\n'))
        const there = new Set(letters(`${text}\n${passages.flatMap(({ headingPath }) => headingPath).join('\n')}`))
        const together = letters(text).join('')
        expect(letters(unfenced(whole(parsed))).filter((one) => !there.has(one) && !together.includes(one))).toEqual([])
      }),
      { seed: inject('seed') },
    ))

  it('no passage exceeds its limit unless a single row does', () =>
    assert(
      property(document, chunking, (parsed, settings) => {
        for (const { text } of cut(parsed, settings)) {
          const rows = text.split('\n').filter(isRow).length
          if (settings.by === 'tokens') expect(rows === 1 || tokenCount(text) <= settings.size, text).toBe(true)
          else
            expect(text.includes('|---|') ? text.length <= 12_000 : text.length <= settings.maxChars, text).toBe(true)
        }
      }),
      { seed: inject('seed') },
    ))

  it('every row of a table is whole in a passage with its header', () =>
    assert(
      property(document, chunking, (parsed, settings) => {
        const passages = cut(parsed, settings)
        const rows = passages.flatMap(({ text }) => text.split('\n').filter(isRow))
        const asked = whole(parsed).split('\n').filter(isRow)
        expect(asked.filter((row) => !rows.includes(row))).toEqual([])
        expect(
          passages.every(
            ({ text }) => !text.split('\n').some(isRow) || text.includes('| Name | Value | Nr |\n|---|---|---|'),
          ),
        ).toBe(true)
      }),
      { seed: inject('seed') },
    ))

  it('ids are stable and unique, and pages never decrease', () =>
    assert(
      property(document, chunking, (parsed, settings) => {
        const passages = cut(parsed, settings)
        expect(cut(parsed, settings)).toEqual(passages)
        expect(new Set(passages.map(({ id }) => id)).size).toBe(passages.length)
        expect(passages.every(({ page = 0 }, at) => page >= (passages[at - 1]?.page ?? 0))).toBe(true)
      }),
      { seed: inject('seed') },
    ))
})
