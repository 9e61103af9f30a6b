import type { Screen } from './paint'
import { broken, painted, trimmed, widest, type Marked, type Range } from './layout'
import { widthOf } from './text'

type Row = Range[]

const gap = 2
/** A column may be made narrower than its longest word, but not than this. */
const leastColumn = 12

/** The cells of one row, which stands from `from` to `to` in the text. */
const cellsOf = (text: string, line: Range): Row => {
  const [from, to] = trimmed(text, line)
  const bars = [...text.slice(from, to).matchAll(/(?<!\\)\|/g)].map(({ index }) => from + index)
  const edges = [...(bars[0] === from ? [] : [from - 1]), ...bars, ...(bars.at(-1) === to - 1 ? [] : [to])]
  return edges.slice(1).map((end, at) => trimmed(text, [(edges[at] ?? from) + 1, end]))
}

const longestWord = (text: string, cell: Range): number =>
  Math.max(0, ...broken(text, cell, 1, true).map((word) => widest(text, word)))

/** What is left over after every column's longest word goes to those that would be tallest. Null where the words do not fit. */
const columnWidths = (text: string, rows: Row[], columns: number, width: number): number[] | null => {
  const numbers = Array.from({ length: columns }, (_, at) => at)
  const most = (measure: (cell: Range) => number) =>
    numbers.map((at) => Math.max(1, ...rows.map((row) => (row[at] ? measure(row[at]) : 0))))
  const natural = most((cell) => widest(text, cell))
  const least = most((cell) => Math.min(leastColumn, longestWord(text, cell)))
  const room = width - gap * (columns - 1)
  if (least.reduce((sum, each) => sum + each, 0) > room) return null
  const widths = [...least]
  const height = (at: number): number => (natural[at] ?? 0) / (widths[at] ?? 1)
  for (let left = room - widths.reduce((sum, each) => sum + each, 0); left > 0; left -= 1) {
    const tallest = numbers.reduce((best, at) => (height(at) > height(best) ? at : best))
    if (height(tallest) <= 1) break
    widths[tallest] = (widths[tallest] ?? 0) + 1
  }
  return widths
}

/** Too many columns for the width: each row is a list of its cells, each under the name of its column. */
const listed = (marked: Marked, [header = [], ...rows]: Row[], { paint, width }: Screen): string[] => {
  const names = header.map((cell) => painted({ ...marked, marks: [] }, cell, paint))
  const column = Math.min(Math.max(...names.map(widthOf)), Math.floor(width / 3))
  return rows.flatMap((row, at) => [
    ...(at > 0 ? [''] : []),
    ...row.flatMap((cell, n) => {
      const name = broken(marked.text, header[n] ?? [0, 0], column)
      const value = broken(marked.text, cell, width - column - gap)
      return Array.from({ length: Math.max(name.length, value.length) }, (_, line) => {
        const left = name[line] ?? [0, 0]
        const label = painted({ ...marked, marks: [] }, left, paint)
        return `${paint.dim(label)}${' '.repeat(column - widest(marked.text, left) + gap)}${painted(marked, value[line] ?? [0, 0], paint)}`.trimEnd()
      })
    }),
  ])
}

/** A Markdown table with its columns aligned and its cells wrapped; `lines` are its header, its delimiter and its rows. */
export const drawnTable = (marked: Marked, lines: Range[], screen: Screen): string[] => {
  const { text } = marked
  const [header, delimiter = [], ...body] = lines.map((line) => cellsOf(text, line))
  if (!header) return []
  const rows = [header, ...body]
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = columnWidths(text, rows, columns, screen.width)
  if (!widths) return listed(marked, rows, screen)
  const toRight = widths.map((_, at) => /^-+:$/.test(text.slice(...(delimiter[at] ?? [0, 0]))))
  const drawn = (row: Row, paint: (line: string) => string): string[] => {
    const cells = widths.map((width, at) => broken(text, row[at] ?? [0, 0], width))
    return Array.from({ length: Math.max(1, ...cells.map((cell) => cell.length)) }, (_, n) =>
      cells
        .map((cell, at) => {
          const part = cell[n] ?? [0, 0]
          const blank = ' '.repeat((widths[at] ?? 0) - widest(text, part))
          const words = paint(painted(marked, part, screen.paint))
          return toRight[at] ? `${blank}${words}` : `${words}${blank}`
        })
        .join(' '.repeat(gap))
        .trimEnd(),
    )
  }
  const rule = screen.paint.dim(widths.map((width) => '─'.repeat(width)).join(' '.repeat(gap)))
  return [...drawn(header, screen.paint.dim), rule, ...body.flatMap((row) => drawn(row, (line) => line))]
}
