import { clean } from '@plumbline/contracts'
import { brokenLines, type MarkedText, paintedLine, type TextRange, trimmedRange, widest } from './layout'
import { type Screen, widthOf } from './text'

type Row = TextRange[]

const gap = 2
const leastColumn = 12

const cellsOf = (text: string, line: TextRange): Row => {
  const [from, to] = trimmedRange(text, line)
  const bars = [...text.slice(from, to).matchAll(/(?<!\\)\|/g)].map(({ index }) => from + index)
  const edges = [...(bars[0] === from ? [] : [from - 1]), ...bars, ...(bars.at(-1) === to - 1 ? [] : [to])]
  return edges.slice(1).map((end, at) => trimmedRange(text, [(edges[at] ?? from) + 1, end]))
}

const longestWord = (text: string, cell: TextRange): number =>
  Math.max(0, ...brokenLines(text, cell, 1, true).map((word) => widest(text, word)))

const columnWidths = (text: string, rows: Row[], columns: number, width: number): number[] | null => {
  const numbers = Array.from({ length: columns }, (_, at) => at)
  const most = (measure: (cell: TextRange) => number) =>
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

const listed = (marked: MarkedText, [header = [], ...rows]: Row[], { paint, width }: Screen): string[] => {
  const names = header.map((cell) => paintedLine({ ...marked, marks: [] }, cell, paint))
  const column = Math.min(Math.max(...names.map(widthOf)), Math.floor(width / 3))
  return rows.flatMap((row, at) => [
    ...(at > 0 ? [''] : []),
    ...row.flatMap((cell, n) => {
      const name = brokenLines(marked.text, header[n] ?? [0, 0], column)
      const value = brokenLines(marked.text, cell, width - column - gap)
      return Array.from({ length: Math.max(name.length, value.length) }, (_, line) => {
        const left = name[line] ?? [0, 0]
        const label = paintedLine({ ...marked, marks: [] }, left, paint)
        return `${paint.dim(label)}${' '.repeat(column - widest(marked.text, left) + gap)}${paintedLine(marked, value[line] ?? [0, 0], paint)}`.trimEnd()
      })
    }),
  ])
}

const drawnTable = (marked: MarkedText, lines: TextRange[], screen: Screen): string[] => {
  const { text } = marked
  const [header, delimiter = [], ...body] = lines.map((line) => cellsOf(text, line))
  if (!header) return []
  const rows = [header, ...body]
  const columns = Math.max(...rows.map((row) => row.length))
  const widths = columnWidths(text, rows, columns, screen.width)
  if (!widths) return listed(marked, rows, screen)
  const toRight = widths.map((_, at) => /^-+:$/.test(text.slice(...(delimiter[at] ?? [0, 0]))))
  const drawn = (row: Row, paint: (line: string) => string): string[] => {
    const cells = widths.map((width, at) => brokenLines(text, row[at] ?? [0, 0], width))
    return Array.from({ length: Math.max(1, ...cells.map((cell) => cell.length)) }, (_, n) =>
      cells
        .map((cell, at) => {
          const part = cell[n] ?? [0, 0]
          const blank = ' '.repeat((widths[at] ?? 0) - widest(text, part))
          const words = paint(paintedLine(marked, part, screen.paint))
          return toRight[at] ? `${blank}${words}` : `${words}${blank}`
        })
        .join(' '.repeat(gap))
        .trimEnd(),
    )
  }
  const rule = screen.paint.dim(widths.map((width) => '─'.repeat(width)).join(' '.repeat(gap)))
  return [...drawn(header, screen.paint.dim), rule, ...body.flatMap((row) => drawn(row, (line) => line))]
}

type Block = { kind: 'prose' | 'item' | 'heading' | 'table' | 'code' | 'blank'; lines: TextRange[] }

const shapes = {
  fence: /^\s*(```|~~~)/,
  heading: /^ {0,3}#{1,6}\s/,
  item: /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/,
  delimiter: /^[\s|:-]*-[\s|:-]*$/,
}

const linesOf = (text: string): TextRange[] =>
  [...text.matchAll(/[^\n]*(?:\n|$)/g)]
    .filter(({ 0: line }, at) => line !== '' || at === 0)
    .map(({ 0: line, index }) => [index, index + line.replace(/\n$/, '').length])

const endOf = (lines: string[], from: number, ends: (line: string) => boolean): number => {
  const length = lines.slice(from).findIndex(ends)
  return length < 0 ? lines.length : from + length
}

const beginsBlock = (line: string): boolean =>
  line.trim() === '' ||
  line.trim() === '…' ||
  shapes.fence.test(line) ||
  shapes.heading.test(line) ||
  shapes.item.test(line)

const startsTable = (lines: string[], at: number): boolean =>
  (lines[at] ?? '').includes('|') && (lines[at + 1] ?? '').includes('|') && shapes.delimiter.test(lines[at + 1] ?? '')

const blockAt = (lines: string[], at: number): { kind: Block['kind']; to: number } => {
  const line = lines[at] ?? ''
  if (line.trim() === '') return { kind: 'blank', to: at + 1 }
  if (shapes.fence.test(line))
    return { kind: 'code', to: Math.min(lines.length, endOf(lines, at + 1, (each) => shapes.fence.test(each)) + 1) }
  if (startsTable(lines, at)) return { kind: 'table', to: endOf(lines, at, (each) => !each.includes('|')) }
  if (shapes.heading.test(line)) return { kind: 'heading', to: at + 1 }
  const rest = lines.slice(at + 1).findIndex((each, n) => beginsBlock(each) || startsTable(lines, at + 1 + n))
  return { kind: shapes.item.test(line) ? 'item' : 'prose', to: rest < 0 ? lines.length : at + 1 + rest }
}

const blocksOf = (text: string): Block[] => {
  const ranges = linesOf(text)
  const lines = ranges.map(([from, to]) => text.slice(from, to))
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    const { kind, to } = blockAt(lines, at)
    blocks.push({ kind, lines: ranges.slice(at, to) })
    at = to
  }
  return blocks
}

const over = (lines: TextRange[]): TextRange => [lines[0]?.[0] ?? 0, lines.at(-1)?.[1] ?? 0]

const item = (marked: MarkedText, lines: TextRange[], { paint, width }: Screen): string[] => {
  const [from, to] = over(lines)
  const sign = clean(shapes.item.exec(marked.text.slice(from, to))?.[0] ?? '')
  const words = brokenLines(marked.text, [from + sign.length, to], width - sign.length, true)
  return words.map((line, at) => `${at === 0 ? sign : ' '.repeat(sign.length)}${paintedLine(marked, line, paint)}`)
}

const code = (marked: MarkedText, lines: TextRange[], { paint }: Screen): string[] => {
  const closed = lines.length > 1 && shapes.fence.test(marked.text.slice(...(lines.at(-1) ?? [0, 0])))
  return lines.slice(1, closed ? -1 : undefined).map(([from, to]) => {
    const line = marked.text.slice(from, to)
    const indent = line.length - line.trimStart().length
    const inner = marked.marks.filter(([open]) => open >= from && open < to)
    const kept = [from + indent, ...inner.flat(), to].map((at) => Math.min(at, to))
    const pieces = kept.slice(1).map((end, at) => clean(marked.text.slice(kept[at], end)))
    return `    ${clean(line.slice(0, indent))}${pieces.map((piece, at) => (at % 2 === 1 ? paint.bold(piece) : piece)).join('')}`
  })
}

const drawn = (marked: MarkedText, { kind, lines }: Block, screen: Screen): string[] => {
  switch (kind) {
    case 'blank':
      return ['']
    case 'table':
      return drawnTable(marked, lines, screen)
    case 'code':
      return code(marked, lines, screen)
    case 'item':
      return item(marked, lines, screen)
    case 'heading':
      return brokenLines(marked.text, over(lines), screen.width, true).map((line) =>
        screen.paint.bold(paintedLine({ ...marked, marks: [] }, line, screen.paint)),
      )
    case 'prose':
      return brokenLines(marked.text, over(lines), screen.width, true).map((line) =>
        paintedLine(marked, line, screen.paint),
      )
  }
}

export const markdownLines = (marked: MarkedText, screen: Screen, indent = ''): string[] =>
  blocksOf(marked.text)
    .flatMap((block) => drawn(marked, block, { ...screen, width: screen.width - indent.length }))
    .filter((line, at, all) => line !== '' || (at > 0 && all[at - 1] !== ''))
    .map((line) => (line === '' ? '' : indent + line))
