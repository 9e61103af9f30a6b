import { expect, it } from 'vitest'
import { pointAtCell } from './cited-cell'

const text = (value: string) => ({ type: 'text', value })
const element = (tagName: string, ...children: object[]) => ({ type: 'element', tagName, children }) as never
const row = (name: string, ...cells: string[]) => element('tr', ...cells.map((cell) => element(name, text(cell))))
const marked = (...cells: string[]) => element('tr', ...cells.map((cell) => element('td', element('mark', text(cell)))))
const table = () =>
  element(
    'root',
    element(
      'table',
      row('th', 'Planet', 'Axial tilt (degrees)', 'Length of day (hours)', 'Moons'),
      row('td', 'Venus', '177.4', '2,802', '0'),
      marked('Mars', '25.2', '24.7', '2'),
    ),
  )

type Node = { tagName?: string; properties?: { className?: string }; value?: string; children?: Node[] }
const wordsOf = ({ value = '', children = [] }: Node): string => value + children.map(wordsOf).join('')
const citedIn = (claim: string): string[] => {
  const tree = table() as Node
  pointAtCell(tree as never, claim)
  const cited = (node: Node): Node[] =>
    (node.children ?? []).flatMap((child) => [
      ...(child.properties?.className === 'cited-cell' ? [child] : []),
      ...cited(child),
    ])
  return cited(tree).map(wordsOf)
}

it('points at the cell whose value and column the claim names', () => {
  expect(citedIn('For Mars, Length of day is 24.7 hours.')).toEqual(['24.7'])
})
it('points at the cell under the named column if the value of the claim is another', () => {
  expect(citedIn('Mars has 14 moons.')).toEqual(['2'])
})
it('points at no cell if the claim names neither a value nor a column', () => {
  expect(citedIn('It is red.')).toEqual([])
})
