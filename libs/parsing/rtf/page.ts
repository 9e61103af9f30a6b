import { blocksText, paragraphBlock, wholeBlock, type Block } from '../ooxml/blocks'
import { gridOf, tableBlocks, type GridCell } from '../tables/grid-to-markdown'
import { markSuperscript, withSuperscripts } from '../superscript'
import { escapedHeading } from '../write-markdown'

/** `beside` is true if the cell continues the cell to its left. `above` is true if it continues the cell above. */
export type CellShape = { beside: boolean; above: boolean }
type Row = { cells: string[]; shapes: CellShape[] }
type Paragraph = { heading?: number; level?: number; label?: string; inTable: boolean }

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const placedCells = (rows: Row[]): GridCell[] => {
  const placed: GridCell[] = []
  rows.forEach(({ cells, shapes }, at) =>
    cells.forEach((text, column) => {
      const { beside = false, above = false } = shapes[column] ?? {}
      const reached = ({ row: top, down, column: left, across }: GridCell): boolean =>
        above ? left === column && top + down === at : top === at && left + across === column
      const before = beside || above ? placed.findLast(reached) : undefined
      if (before) before[above ? 'down' : 'across'] += 1
      else placed.push({ row: at, column, across: 1, down: 1, text })
    }),
  )
  return placed
}

const paragraphOf = (text: string, { heading, level = 0, label }: Paragraph): Block => {
  if (heading !== undefined) return wholeBlock(`${'#'.repeat(Math.min(6, heading))} ${escapedHeading(oneLine(text))}`)
  if (label === undefined || label.trim() === '') return paragraphBlock(text)
  return { kind: 'item', level, text: text.trim(), ...(/[\p{L}\p{N}]/u.test(label) && { label: label.trim() }) }
}

export class Page {
  paragraph: Paragraph = { inTable: false }
  private readonly done: Block[] = []
  private rows: Row[] = []
  private cells: string[] = []
  private cell = ''
  private line = ''

  constructor(private readonly file: string) {}

  add(text: string, raised: boolean): void {
    this.line += raised ? markSuperscript(text) : text
  }

  endParagraph(): void {
    const text = this.takeLine()
    if (this.paragraph.inTable) this.cell += `${text} `
    else if (text.trim() !== '') {
      this.endTable()
      this.done.push(paragraphOf(text, this.paragraph))
    }
  }

  endCell(): void {
    this.cells.push(oneLine(this.cell + this.takeLine()))
    this.cell = ''
  }

  endRow(shapes: CellShape[]): void {
    if (this.cells.length > 0) this.rows.push({ cells: this.cells, shapes })
    this.cells = []
  }

  /** Ends the open paragraph and table, so it must be called only after the last token. */
  text(): string {
    if (this.cells.length > 0 || this.cell !== '') {
      this.endCell()
      this.endRow([])
    }
    this.paragraph.inTable = false
    this.endParagraph()
    this.endTable()
    return blocksText(this.done)
  }

  private takeLine(): string {
    const text = withSuperscripts(this.line)
    this.line = ''
    return text
  }

  private endTable(): void {
    const placed = placedCells(this.rows)
    if (placed.length > 0) this.done.push(wholeBlock(tableBlocks(gridOf(placed, this.file))))
    this.rows = []
  }
}
