import { describe, expect, it } from 'vitest'
import { compareTables, f1, tablesOf, wordsOf } from './parsers-score'

const table = (...rows: string[][]): string => {
  const [header = [], ...body] = rows.map((row) => `| ${row.join(' | ')} |`)
  return [header, `|${'---|'.repeat(rows[0]?.length ?? 0)}`, ...body].join('\n')
}
const figures = (expected: string, found: string): number[] => {
  const { cells, placed, matched } = compareTables(tablesOf(expected), tablesOf(found))
  return [matched, Number(f1(cells).toFixed(3)), Number(f1(placed).toFixed(3))]
}
const pue = table(['Place', '2022', '2023'], ['Taiwan', '1.12', '1.13'], ['Dublin', '1.10', '1.11'])

describe('figures of tables', () => {
  it('are whole for the same table however it is marked up', () => {
    expect(figures(pue, pue.replace('Taiwan', '**Tai­wan**'.replace('­', '')).replace('1.10', '`1.10`'))).toEqual([
      1, 1, 1,
    ])
    expect(figures(table(['a\\|b', 'c']), table(['a\\|b', ' c ']))).toEqual([1, 1, 1])
  })

  it('see a value in the wrong column where only the strict one does', () => {
    expect(
      figures(pue, table(['Place', '2022', '2023'], ['Taiwan', '1.13', '1.12'], ['Dublin', '1.10', '1.11'])),
    ).toEqual([1, 1, 0.5])
  })

  it('count what is missing, what is wrong and what nobody asked for', () => {
    expect(figures(pue, '')).toEqual([0, 0, 0])
    expect(figures('', pue)).toEqual([0, 0, 0])
    expect(figures(pue, table(['Place', '2022', '2023'], ['Taiwan', '1.12', '1.13']))).toEqual([1, 0.8, 0.667])
    expect(figures(pue, `${pue}\n\n${pue}`)).toEqual([1, 0.667, 0.667])
  })

  it('take several header rows as one, as our readers write them', () => {
    const expected = table(['', 'TEDs', 'TEDs'], ['', 'simple', 'all'], ['6', '0.9', '0.8'])
    expect(figures(expected, table(['', 'TEDs simple', 'TEDs all'], ['6', '0.9', '0.8']))).toEqual([1, 1, 1])
  })

  it('read words without their markup', () => {
    expect(wordsOf('# A *b*\n\n| c | 1 |\n|---|---|\n<!-- image --> [d](http://e) ![f](g) &amp; h')).toEqual([
      'a',
      'b',
      'c',
      '1',
      'd',
      'h',
    ])
  })
})
