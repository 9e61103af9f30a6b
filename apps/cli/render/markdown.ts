import { broken, painted, type Marked, type Range } from './layout'
import type { Screen } from './paint'
import { clean } from './text'
import { drawnTable } from './table'

type Block = { kind: 'prose' | 'item' | 'heading' | 'table' | 'code' | 'blank'; lines: Range[] }

const shapes = {
  fence: /^\s*(```|~~~)/,
  heading: /^ {0,3}#{1,6}\s/,
  item: /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/,
  delimiter: /^[\s|:-]*-[\s|:-]*$/,
}

const linesOf = (text: string): Range[] =>
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

/** What begins at this line, and the line after it. */
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

const over = (lines: Range[]): Range => [lines[0]?.[0] ?? 0, lines.at(-1)?.[1] ?? 0]

/** The lines of an item after its first stand under its words. */
const item = (marked: Marked, lines: Range[], { paint, width }: Screen): string[] => {
  const [from, to] = over(lines)
  const sign = clean(shapes.item.exec(marked.text.slice(from, to))?.[0] ?? '')
  const words = broken(marked.text, [from + sign.length, to], width - sign.length, true)
  return words.map((line, at) => `${at === 0 ? sign : ' '.repeat(sign.length)}${painted(marked, line, paint)}`)
}

/** Code keeps its lines and their indents, however wide; its fences are not shown. */
const code = (marked: Marked, lines: Range[], { paint }: Screen): string[] => {
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

const drawn = (marked: Marked, { kind, lines }: Block, screen: Screen): string[] => {
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
      return broken(marked.text, over(lines), screen.width, true).map((line) =>
        screen.paint.bold(painted({ ...marked, marks: [] }, line, screen.paint)),
      )
    case 'prose':
      return broken(marked.text, over(lines), screen.width, true).map((line) => painted(marked, line, screen.paint))
  }
}

/** Markdown at the width of the screen: prose wrapped, tables aligned, code as it is, marked words bold. */
export const drawnMarkdown = (marked: Marked, screen: Screen, indent = ''): string[] =>
  blocksOf(marked.text)
    .flatMap((block) => drawn(marked, block, { ...screen, width: screen.width - indent.length }))
    .filter((line, at, all) => line !== '' || (at > 0 && all[at - 1] !== ''))
    .map((line) => (line === '' ? '' : indent + line))
