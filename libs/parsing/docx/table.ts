import { Unfit } from '@plumbline/ports/document-parser'
import { blocksText, wholeBlock, withoutCellMarks, type Block } from '../ooxml/blocks'
import { gridOf, tableBlocks, type Grid, type GridCell } from '../tables/grid-to-markdown'
import { below, child, childrenOf, isOn, val, type XmlNode } from '../ooxml/xml'
import type { Word } from './styles-and-numbering'

type ReadBlocks = (nodes: readonly XmlNode[], word: Word) => Block[]

/** The maximum number of columns in a table. Word itself allows only 63. */
const mostColumns = 1_000
const wrappers = ['sdt', 'sdtContent', 'ins', 'customXml', 'moveTo']

const inside = (node: XmlNode, name: string): XmlNode[] =>
  node.children.flatMap((one) => (one.name === name ? [one] : wrappers.includes(one.name) ? inside(one, name) : []))

const count = (node: XmlNode | undefined): number => Math.max(0, Number(val(node) ?? 0) || 0)

/** Returns the text of a cell. Note marks after a number are removed, because they would look like its digits. */
const cellText = (blocks: Block[]): string =>
  blocksText(blocks)
    .replace(/^#{1,6} /gm, '')
    .replace(/\s+/g, ' ')
    .replace(/^([^\p{L}]*\d[^\p{L}]*?)\s?(?:\[\^\d+\])+$/u, '$1')

/** Returns the cells of a table. A cell can be merged with the cell above or, in old files, the cell to its left. */
const cellsOf = (rows: XmlNode[], file: string, textOf: (cell: XmlNode) => string): GridCell[] => {
  const cells: GridCell[] = []
  const above = new Map<number, GridCell>()
  rows.forEach((row, at) => {
    let column = count(child(row, 'trPr', 'gridBefore'))
    for (const node of inside(row, 'tc')) {
      const properties = child(node, 'tcPr')
      const across = Math.max(1, count(child(properties, 'gridSpan')))
      const [down, beside] = [child(properties, 'vMerge'), child(properties, 'hMerge')]
      const over = down && val(down) !== 'restart' ? above.get(column) : undefined
      const before = beside && val(beside) !== 'restart' ? cells.findLast((cell) => cell.row === at) : undefined
      if (over) over.down = at - over.row + 1
      else if (before) before.across += across
      else {
        const cell = { row: at, column, across, down: 1, text: textOf(node) }
        cells.push(cell)
        if (down) above.set(column, cell)
        else above.delete(column)
      }
      column += across
      if (column > mostColumns)
        throw new Unfit(
          'bomb',
          `${file} contains a table of more than ${mostColumns} columns, so the document was not read. Make the table narrower, or split it.`,
        )
    }
  })
  return cells
}

const sectionText = 120

const isSection = (cell: XmlNode, { styles }: Word): boolean => {
  const [headings, texts] = [true, false].map((heads) =>
    childrenOf(cell, 'p')
      .filter((one) => (styles.of(val(child(one, 'pPr', 'pStyle')))?.heading !== undefined) === heads)
      .flatMap((one) => below(one, 't'))
      .reduce((sum, { text }) => sum + text.length, 0),
  )
  return Number(headings) > 0 && Number(texts) > sectionText
}

const ownText = (cell: XmlNode): string =>
  cell.children
    .filter(({ name }) => name !== 'tbl')
    .flatMap((one) => below(one, 't'))
    .map(({ text }) => text)
    .join('')
    .trim()

const placesTables = (cells: readonly XmlNode[]): boolean => {
  const placed = cells.filter((cell) => inside(cell, 'tbl').length > 0 && ownText(cell) === '').length
  return placed > 0 && placed >= cells.filter((cell) => ownText(cell) !== '').length
}

/** Returns true for a table that is only a layout: a frame around one cell or tables, or sections side by side. */
const isFrame = (rows: XmlNode[], word: Word): boolean => {
  const cells = rows.flatMap((row) => inside(row, 'tc'))
  return (
    cells.length === 1 ||
    placesTables(cells) ||
    (!rows.some((row) => isOn(child(row, 'trPr', 'tblHeader'))) && cells.some((cell) => isSection(cell, word)))
  )
}

/** A nested table is written twice: as words in the cell, and as a table after the outer table. */
export const tableOf = (table: XmlNode, word: Word, readBlocks: ReadBlocks): Block[] => {
  const rows = inside(table, 'tr').filter((row) => child(row, 'trPr', 'del') === undefined)
  if (isFrame(rows, word))
    return rows.flatMap((row) => inside(row, 'tc')).flatMap((cell) => readBlocks(cell.children, word))
  const nested: Block[] = []
  const textOf = (cell: XmlNode): string =>
    cell.children
      .map((node) => {
        if (node.name !== 'tbl') return cellText(readBlocks([node], word))
        const inner = tableOf(node, word, readBlocks)
        nested.push(...inner.filter(({ text }) => text.startsWith('|')))
        return withoutCellMarks(cellText(inner))
      })
      .filter((text) => text !== '')
      .join(' ')
  const grid: Grid = gridOf(cellsOf(rows, word.file, textOf), word.file)
  const first = rows.findIndex((row) => !isOn(child(row, 'trPr', 'tblHeader')))
  return [wholeBlock(tableBlocks(grid, first < 1 ? undefined : first)), ...nested]
}
