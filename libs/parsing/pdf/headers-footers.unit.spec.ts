import { describe, expect, it } from 'vitest'
import { withoutHeadersFooters } from './headers-footers'
import { laidOut } from './lines'
import type { Page } from './page'
import { wordsAt } from './placed.fixture'

const page = (number: number, words: Page['words'], pictured = false): Page => ({
  number,
  width: 612,
  height: 792,
  words,
  rules: { across: [], down: [] },
  pictured,
})
const texts = (pages: Page[]): string[] =>
  withoutHeadersFooters(pages.map(laidOut)).map(({ words }) => words.map(({ text }) => text).join(' '))

describe('text printed on every page', () => {
  it('drops running heads, feet and page numbers', () => {
    const pages = [1, 2, 3].map((number) =>
      page(number, [
        ...wordsAt('Annual report', 50, 30),
        ...wordsAt(`text ${String(number)}`, 50, 300),
        ...wordsAt(String(number), 300, 760),
      ]),
    )
    expect(texts(pages)).toEqual(['text 1', 'text 2', 'text 3'])
  })

  it('never drops the header a table repeats at the top of a page', () => {
    const rows = (number: number): Page['words'] => [
      ...wordsAt('Part', 50, 40),
      ...wordsAt('Stock', 200, 40),
      ...wordsAt(`Bolt${String(number)}`, 50, 54),
      ...wordsAt('7', 200, 54),
      ...wordsAt(`Nut${String(number)}`, 50, 68),
      ...wordsAt('9', 200, 68),
    ]
    expect(texts([page(1, rows(1)), page(2, rows(2)), page(3, rows(3))])[1]).toBe('Part Stock Bolt2 7 Nut2 9')
  })

  it('keeps all of a page that has nothing else, but on a scan it is no text', () => {
    const stamped = (pictured: boolean): Page[] =>
      [1, 2].map((number) => page(number, wordsAt(`Filed in court, page ${String(number)} of 2`, 50, 30), pictured))
    expect(texts(stamped(false))).toEqual(['Filed in court, page 1 of 2', 'Filed in court, page 2 of 2'])
    expect(texts(stamped(true))).toEqual(['', ''])
  })

  it('keeps the number that is all a page says in its midst', () => {
    expect(texts([page(1, wordsAt('42', 300, 400)), page(2, wordsAt('43', 300, 400))])).toEqual(['42', '43'])
  })
})
