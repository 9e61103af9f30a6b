import { describe, expect, it } from 'vitest'
import { unstacked } from './stacked'

const table = (...rows: string[]): string => ['| n | kind | a |', '| --- | --- | --- |', ...rows].join('\n')

describe('rows that a document drew as one', () => {
  it('stand alone, and what is said once counts for each', () => {
    expect(unstacked(table('| 6 | one<br>two | 0.1<br/>0.2 |', '| 7 | three | 0.3 |'))).toBe(
      table('| 6 | one | 0.1 |', '| 6 | two | 0.2 |', '| 7 | three | 0.3 |'),
    )
  })

  it('are not those with a wrapped cell, or with lines that do not go together', () => {
    for (const row of ['| 6 | a note<br>over lines | 0.1 |', '| 6 | one<br>two<br>three | 0.1<br>0.2 |'])
      expect(unstacked(table(row))).toBe(table(row))
  })

  it('leaves the header as it is', () => {
    const headed = '| n | a<br>b | c<br>d |\n| --- | --- | --- |\n| 1 | 2 | 3 |'
    expect(unstacked(headed)).toBe(headed)
  })
})
