import { describe, expect, it } from 'vitest'
import { blocks, markdownTable, paragraph } from './write-markdown'

it('blocks are joined without empty ones, however many there are', () => {
  expect(blocks('a', undefined, '', ['b', 'c'])).toBe('a\n\nb\n\nc')
  expect(
    blocks(
      'a',
      Array.from({ length: 200_000 }, () => 'b'),
    ).length,
  ).toBe(1 + 3 * 200_000)
})

describe('a Markdown table', () => {
  it('joins header rows once each, pads short rows, and keeps bars and line breaks inside their cells', () => {
    expect(
      markdownTable(
        [
          ['Site', 'CFE', 'CFE'],
          ['Site', '2023', '2024'],
          ['a|b', 'one\ntwo'],
        ],
        2,
      ),
    ).toBe('| Site | CFE 2023 | CFE 2024 |\n| --- | --- | --- |\n| a\\|b | one two |  |')
  })

  it('may be as long as a file', () => {
    expect(markdownTable(Array.from({ length: 300_000 }, () => ['x']))).toBe(
      `| x |\n| --- |${'\n| x |'.repeat(299_999)}`,
    )
  })
})

it('words that look like Markdown stay words', () => {
  expect(paragraph('# 1 of 3\n---\n> said\n#hashtag\nplain')).toBe('\\# 1 of 3\n\\---\n\\> said\n#hashtag\nplain')
  expect(blocks('a', undefined, '', 'b')).toBe('a\n\nb')
})
