import { wordSet } from './shared-words'

export type Node = {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
  position?: { start: { offset?: number }; end: { offset?: number } }
}

const textOf = ({ value = '', children = [] }: Node): string => value + children.map(textOf).join('')
const elements = (node: Node, ...names: string[]): Node[] =>
  (node.children ?? []).flatMap((child) => [
    ...(names.includes(child.tagName ?? '') ? [child] : []),
    ...elements(child, ...names),
  ])

/** Scores a cell by the claim's words in it; the words of its column head decide between equal cells and find the cell of a claim that is wrong. */
const scoreOf = (cell: Node, head: Node | undefined, said: ReadonlySet<string>): number => {
  const words = wordSet(textOf(cell))
  if (words.size === 0) return 0
  const headWords = head ? wordSet(textOf(head)) : words
  const shareOf = (all: Set<string>): number => (all.size === 0 ? 0 : all.intersection(said).size / all.size)
  return (words.isSubsetOf(said) ? 1 : 0) + shareOf(headWords)
}

/** Gives the class `cited-cell` to the cell that decides a claim: of the marked rows, the one whose value and column head the claim names. */
export const pointAtCell = (tree: Node, claim: string): void => {
  const said = wordSet(claim)
  const scored = elements(tree, 'table').flatMap((table) => {
    const [head, ...rows] = elements(table, 'tr').map((row) => elements(row, 'th', 'td'))
    return rows
      .filter((cells) => cells.some((cell) => elements(cell, 'mark').length > 0))
      .flatMap((cells) => cells.slice(1).map((cell, n) => ({ cell, score: scoreOf(cell, head?.[n + 1], said) })))
  })
  const most = Math.max(0, ...scored.map(({ score }) => score))
  const cited = scored.find(({ score }) => score === most && most > 0)
  if (cited) cited.cell.properties = { ...cited.cell.properties, className: 'cited-cell' }
}
