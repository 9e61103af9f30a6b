import { sentencesOf, wordSet } from './shared-words'

export type HtmlNode = {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HtmlNode[]
  position?: { start: { offset?: number }; end: { offset?: number } }
}

const textOf = ({ value = '', children = [] }: HtmlNode): string => value + children.map(textOf).join('')
const elements = (node: HtmlNode, ...names: string[]): HtmlNode[] =>
  (node.children ?? []).flatMap((child) => [
    ...(names.includes(child.tagName ?? '') ? [child] : []),
    ...elements(child, ...names),
  ])
const rowsOf = (table: HtmlNode): HtmlNode[][] => elements(table, 'tr').map((row) => elements(row, 'th', 'td'))
const isMarked = (cell: HtmlNode): boolean => elements(cell, 'mark').length > 0

const setClass = (node: HtmlNode | undefined, name: string): void => {
  if (!node) return
  const before = node.properties?.['className']
  node.properties = { ...node.properties, className: [...(Array.isArray(before) ? before : []), name] }
}

/** Returns whether a cell is a number, perhaps with a sign, a currency, a unit of up to three letters and citations. */
const isFigure = (text: string): boolean => /^[^\p{L}]*\p{N}[^\p{L}]*\p{L}{0,3}[^\p{L}]*$/u.test(text)
const hasNoValue = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text)

const isNumeric = (cells: HtmlNode[]): boolean => {
  const texts = cells
    .map((cell) =>
      textOf(cell)
        .replace(/\[\d+\]/g, '')
        .trim(),
    )
    .filter((text) => !hasNoValue(text))
  return texts.length > 0 && texts.every(isFigure)
}

export const alignNumbers = () => (tree: HtmlNode) => {
  for (const table of elements(tree, 'table')) {
    const [head = [], ...rows] = rowsOf(table)
    for (const [n, name] of head.entries()) {
      const column = rows.flatMap((cells) => cells[n] ?? [])
      if (n > 0 && isNumeric(column)) for (const cell of [name, ...column]) setClass(cell, 'number')
    }
  }
}

type Cell = { table: HtmlNode; cell: HtmlNode; name: HtmlNode | undefined; head: HtmlNode | undefined; column: number }

const shareOf = (node: HtmlNode | undefined, claimWords: ReadonlySet<string>): number => {
  const words = node ? wordSet(textOf(node)) : new Set<string>()
  return words.size === 0 ? 0 : words.intersection(claimWords).size / words.size
}

const hasValue = ({ cell }: Cell, claimWords: ReadonlySet<string>): boolean => {
  const words = wordSet(textOf(cell))
  return words.size > 0 && words.isSubsetOf(claimWords)
}

/** Scores a cell by its value and its header. If no cell has the value of the claim, the header decides. */
const scoreOf = (each: Cell, claimWords: ReadonlySet<string>): number =>
  hasNoValue(textOf(each.cell)) ? 0 : (hasValue(each, claimWords) ? 1 : 0) + shareOf(each.head ?? each.cell, claimWords)

const bestOf = (cells: Cell[], claim: string): Cell[] => {
  const claimWords = wordSet(claim)
  const scores = cells.map((cell) => scoreOf(cell, claimWords))
  const most = Math.max(0, ...scores)
  const best = cells[scores.indexOf(most)]
  return best && most > 0 ? [best] : []
}

const bodyCells = (tree: HtmlNode, isWanted: (cells: HtmlNode[]) => boolean): Cell[] =>
  elements(tree, 'table').flatMap((table) => {
    const [head = [], ...rows] = rowsOf(table)
    return rows
      .filter(isWanted)
      .flatMap(([name, ...cells]) => cells.map((cell, n) => ({ table, cell, name, head: head[n + 1], column: n + 1 })))
  })

const cellsBySentence = (cells: Cell[], claim: string): Cell[] =>
  sentencesOf(claim).flatMap((sentence) => {
    const claimWords = wordSet(sentence)
    return bestOf(
      cells.filter(({ name }) => shareOf(name, claimWords) > 0),
      sentence,
    )
  })

const citedCells = (tree: HtmlNode, claim: string): Cell[] => {
  const marked = bodyCells(tree, (cells) => cells.some(isMarked))
  const claimWords = wordSet(claim)
  if (marked.length === 0)
    return cellsBySentence(
      bodyCells(tree, () => true).filter((each) => hasValue(each, claimWords)),
      claim,
    )
  const named = cellsBySentence(marked, claim)
  return named.length > 0 ? named : bestOf(marked, claim)
}

const unmark = (cell: HtmlNode): void => {
  cell.children = cell.children?.flatMap((child) => (child.tagName === 'mark' ? (child.children ?? []) : [child]))
}

const markOthers = (table: HtmlNode, cited: ReadonlySet<number>): void => {
  const rows = rowsOf(table)
  const columns = Math.max(...rows.map(({ length }) => length))
  if (columns <= cited.size) return
  for (const cells of rows) for (const [n, cell] of cells.entries()) if (!cited.has(n)) setClass(cell, 'uncited')
  table.properties = { ...table.properties, dataColumns: columns }
}

export const markCells = (tree: HtmlNode, claim: string): void => {
  const cited = citedCells(tree, claim)
  for (const table of new Set(cited.map((each) => each.table))) {
    const here = cited.filter((each) => each.table === table)
    for (const cell of elements(table, 'th', 'td')) unmark(cell)
    for (const heads of [new Set(here.map(({ name }) => name)), new Set(here.map(({ head }) => head))])
      for (const head of heads) setClass(head, 'cited-head')
    for (const cell of new Set(here.map(({ cell }) => cell))) setClass(cell, 'cited-cell')
    markOthers(table, new Set([0, ...here.map(({ column }) => column)]))
  }
}
