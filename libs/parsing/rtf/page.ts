import { blocksText, paragraphBlock, whole, type Block } from '../ooxml/blocks'
import { gridOf, tableBlocks, type GridCell } from '../ooxml/tables'
import { markSuperscript, withSuperscripts } from '../superscript'
import { escapedHeading } from '../write-markdown'

/** What a row says of one of its cells: whether it goes on with the one before it, or above it. */
type CellShape = { beside: boolean; above: boolean }
export type Paragraph = { heading?: number; level?: number; label?: string; inTable: boolean }

/** Paragraphs and tables in the order they come: of the text, or of a note. */
export const openPage = (file: string) => {
  const done: Block[] = []
  let rows: { cells: string[]; shapes: CellShape[] }[] = []
  let cells: string[] = []
  let [line, cell] = ['', '']

  const endTable = (): void => {
    const placed: GridCell[] = []
    rows.forEach((row, at) =>
      row.cells.forEach((text, column) => {
        const { beside = false, above = false } = row.shapes[column] ?? {}
        const reached = ({ row: top, down, column: left, across }: GridCell): boolean =>
          above ? left === column && top + down === at : top === at && left + across === column
        const before = beside || above ? placed.findLast(reached) : undefined
        if (before) before[above ? 'down' : 'across'] += 1
        else placed.push({ row: at, column, across: 1, down: 1, text })
      }),
    )
    if (placed.length > 0) done.push(whole(tableBlocks(gridOf(placed, file))))
    rows = []
  }
  const takeLine = (): string => {
    const text = withSuperscripts(line)
    line = ''
    return text
  }
  const endParagraph = ({ heading, level, label, inTable }: Paragraph): void => {
    const text = takeLine()
    if (inTable) return void (cell += `${text} `)
    if (text.trim() === '') return
    endTable()
    if (heading !== undefined)
      done.push(whole(`${'#'.repeat(Math.min(6, heading))} ${escapedHeading(text.replace(/\s+/g, ' ').trim())}`))
    else if (label === undefined) done.push(paragraphBlock(text))
    else
      done.push({
        kind: 'item',
        level: level ?? 0,
        text: text.trim(),
        ...(/[\p{L}\p{N}]/u.test(label) && { label: label.trim() }),
      })
  }
  const endCell = (): void => {
    cells.push((cell + takeLine()).replace(/\s+/g, ' ').trim())
    cell = ''
  }
  return {
    add: (text: string, raised: boolean): void => void (line += raised ? markSuperscript(text) : text),
    endParagraph,
    endCell,
    endRow: (shapes: CellShape[]): void => {
      if (cells.length > 0) rows.push({ cells, shapes })
      cells = []
    },
    text: (paragraph: Paragraph): string => {
      if (cells.length > 0 || cell !== '') {
        endCell()
        rows.push({ cells, shapes: [] })
        cells = []
      }
      endParagraph({ ...paragraph, inTable: false })
      endTable()
      return blocksText(done)
    },
  }
}
