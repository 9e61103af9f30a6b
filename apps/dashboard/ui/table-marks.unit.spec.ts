import { expect, it } from 'vitest'
import { alignNumbers, markCells } from './table-marks'

type Node = {
  tagName?: string
  properties?: { className?: string[]; dataColumns?: number }
  value?: string
  children?: Node[]
}
const text = (value: string) => ({ type: 'text', value })
const element = (tagName: string, ...children: object[]) => ({ type: 'element', tagName, children }) as Node
const row = (name: string, ...cells: string[]) => element('tr', ...cells.map((cell) => element(name, text(cell))))
const marked = (...cells: string[]) => element('tr', ...cells.map((cell) => element('td', element('mark', text(cell)))))
const table = (...rows: Node[]) =>
  element(
    'root',
    element(
      'table',
      row('th', 'Planet', 'Axial tilt (degrees)', 'Length of day (hours)', 'Moons', 'Kind'),
      row('td', 'Venus', '177.4', '2,802', '–', 'rock'),
      ...rows,
    ),
  )

const wordsOf = ({ value = '', children = [] }: Node): string => value + children.map(wordsOf).join('')
const withClass = (node: Node, name: string): string[] => [
  ...(node.properties?.className?.includes(name) ? [wordsOf(node)] : []),
  ...(node.children ?? []).flatMap((child) => withClass(child, name)),
]
const citedIn = (claim: string, ...rows: Node[]) => {
  const tree = table(marked('Mars', '25.2', '24.7', '2', 'rock'), ...rows)
  markCells(tree as never, claim)
  return { cells: withClass(tree, 'cited-cell'), heads: withClass(tree, 'cited-head'), tree }
}

it('marks the cell whose value and column the claim names, with both its heads', () => {
  const { cells, heads } = citedIn('For Mars, Length of day is 24.7 hours.')
  expect(cells).toEqual(['24.7'])
  expect(heads).toEqual(['Length of day (hours)', 'Mars'])
})
it('marks the cell under the named column if the value of the claim is another', () => {
  expect(citedIn('Mars has 14 moons.').cells).toEqual(['2'])
})
it('marks a cell for each sentence that names a row', () => {
  const jupiter = marked('Jupiter', '3.1', '9.9', '95', 'gas')
  expect(citedIn('Mars has 2 moons. The axial tilt of Jupiter is 3.1 degrees.', jupiter).cells).toEqual(['2', '3.1'])
})
it('marks no cell if the claim names neither a value nor a column', () => {
  const { cells, tree } = citedIn('It is red.')
  expect(cells).toEqual([])
  expect(withClass(tree, 'uncited')).toEqual([])
})
it('marks the cell of a table without marks only if it has the value of the claim', () => {
  const citedOf = (claim: string): string[] => {
    const tree = table(row('td', 'Mars', '25.2', '24.7', '2', 'rock'))
    markCells(tree as never, claim)
    return withClass(tree, 'cited-cell')
  }
  expect(citedOf('For Mars, Length of day is 24.7 hours.')).toEqual(['24.7'])
  expect(citedOf('Mars has 14 moons.')).toEqual([])
})
it('names the columns that nothing cites', () => {
  const { tree } = citedIn('Mars has 2 moons.')
  expect(withClass(tree, 'uncited')).toEqual([
    'Axial tilt (degrees)',
    'Length of day (hours)',
    'Kind',
    '177.4',
    '2,802',
    'rock',
    '25.2',
    '24.7',
    'rock',
  ])
  expect(tree.children?.[0]?.properties?.dataColumns).toBe(5)
})
it('aligns the columns that hold figures alone, with their heads', () => {
  const tree = table(row('td', 'Mars [1]', '25.2° [1]', '24.7 h', '2', 'rock'))
  alignNumbers()(tree as never)
  expect(withClass(tree, 'number').join('|')).toBe(
    'Axial tilt (degrees)|Length of day (hours)|Moons|177.4|2,802|–|25.2° [1]|24.7 h|2',
  )
})
