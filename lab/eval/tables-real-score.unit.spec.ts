import { expect, it } from 'vitest'
import { tablesIn } from './tables-real-cells'
import { scoredFile, type Expected } from './tables-real-score'

const expected: Expected = {
  table: 1,
  rows: [
    ['', 'Sales', ''],
    ['Region', '2023', '2024'],
    ['North', '1,204', '2,310'],
  ],
  spans: [[0, 1, 1, 2]],
}
const scored = (markdown: string) => scoredFile([expected], tablesIn(markdown), true)

it('takes joined header rows and repeated spans for right, and counts a table that nobody expects', () => {
  const table = '| **Region** | Sales 2023 | Sales 2024 |\n|---|---|---|\n| North | 1,204 | 2,310 |'
  expect(scored(`${table}\n\n| a | b |\n|---|---|\n| 1 | 2 |`)).toEqual({
    scores: [{ right: 6, expected: 6, found: 6, f1: 1, header: true }],
    extra: 1,
  })
})

it('counts cells of shifted rows as missing, and an empty page as nothing', () => {
  const [half] = scored('| Region | 2023 | 2024 |\n|---|---|---|\n| 1,204 | North | 2,310 |').scores
  expect(half).toMatchObject({ right: 4, expected: 7, found: 6, header: false })
  expect(scored('').scores).toEqual([{ right: 0, expected: 7, found: 0, f1: 0, header: false }])
})
