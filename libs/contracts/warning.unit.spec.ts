import { expect, it } from 'vitest'
import { warningsFor } from './warning'

it('are on passages of their pages, and on all if a page is missing', () => {
  const of = (kind: 'ocr' | 'no-text' | 'wrong-encoding', pages?: number[]) => ({
    kind,
    words: kind,
    ...(pages && { pages }),
  })
  const all = [of('ocr', [2]), of('no-text', [3]), of('wrong-encoding')]
  const kinds = (page?: number): string[] => warningsFor(all, page).map(({ kind }) => kind)
  expect(kinds(1)).toEqual(['no-text', 'wrong-encoding'])
  expect(kinds(2)).toEqual(['ocr', 'no-text', 'wrong-encoding'])
  expect(kinds()).toEqual(['ocr', 'no-text', 'wrong-encoding'])
})
