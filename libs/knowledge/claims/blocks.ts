import { datesIn } from '../locale-words'

export type Span = { from: number; to: number }
export type BlockKind = 'prose' | 'heading' | 'item' | 'header' | 'row' | 'code'

/** `depth`: level of a heading or indentation of an item. `told`: the ranges of the text without Markdown marks. */
export type Block = { kind: BlockKind; depth: number; group: number; told: Span[] }

/** `touches` is true if no blank line separates this line from the previous line. */
type Line = Span & { text: string; touches: boolean }
type Read = {
  blocks: Block[]
  open: Block | null
  fence: string
  info: Span | null
  group: number
  numbers: Set<number>
}

const prefix = /^(?:\s*(?:>|[-*+•](?=\s|$)))*\s*(?:\d{1,9}[.)](?:\s+|$))?/
const number = /(\d+)[.)]\s*$/
const hashes = /^(#{1,6})(?:\s+|$)/
const fenced = /^(`{3,}(?=[^`]*$)|~{3,})\s*/
const separator = /^[\s|]*:?-+:?\s*(?:\|\s*:?-*:?\s*)*$/
/** Matches lines without words, such as a rule, the line under a title, or an empty table row. */
const onlyMarks = /^[\s\-*_=|:`~#>]*$/
/** A line that is completely bold is treated as a heading. */
const bold = /^(\*\*|__)(?:(?!\1).)+\1:?\s*$/
const belowHeadings = 7

const inner = (line: string): string => line.replace(/^[\s>]*/, '')

const linesOf = (draft: string): Line[] => {
  let end = 0
  return Array.from(draft.matchAll(/[^\r\n\u2028\u2029]+/g)).flatMap(({ 0: text, index }) => {
    if (text.trim() === '') return []
    const touches = end > 0 && !/(?:\r\n|[^ \t]).*[^ \t]/s.test(draft.slice(end, index))
    end = index + text.length
    return { text, from: index, to: end, touches }
  })
}

/**
 * Returns true for the number 1, and for a number that continues an earlier list number. Any other number may be text,
 * as in `1985. was the year`.
 */
const isListMark = (mark: string, numbers: Set<number>): boolean => {
  const found = number.exec(mark)?.[1]
  if (found === undefined) return true
  const counted = Number(found)
  if (counted > 1 && !numbers.has(counted - 1)) return false
  numbers.add(counted)
  return true
}

/** In `1. März 2024`, the number is a day and not a list number. */
const isDay = (text: string): boolean => datesIn(text).some(({ raw }) => text.startsWith(raw))

const markOf = (text: string, numbers: Set<number>): string => {
  const mark = prefix.exec(text)?.[0] ?? ''
  const at = mark.search(number)
  if (at >= 0 && isDay(text.slice(at))) return mark.slice(0, at)
  return isListMark(mark, numbers) ? mark : mark.replace(number, '')
}

const add = (read: Read, kind: BlockKind, depth: number, told: Span, stays = false): void => {
  const block = { kind, depth, group: read.group, told: [told] }
  read.blocks.push(block)
  read.open = stays ? block : null
}

const code = (read: Read, line: Line): void => {
  const ends = line.text.replace(prefix, '').trim()
  if (ends.startsWith(read.fence) && /^[`~]+$/.test(ends)) {
    if (read.info) add(read, 'code', 0, read.info)
    Object.assign(read, { fence: '', info: null, group: read.group + 1 })
  } else if (line.text.trim() !== '') {
    add(read, 'code', 0, { from: read.info?.from ?? line.from, to: line.to })
    read.info = null
  }
}

/** Opens a code block. Text on the same line, such as a language, belongs to the code, because some viewers show it. */
const openFence = (read: Read, mark: string, told: Span, rest: string): void => {
  const info = told.from + (fenced.exec(rest)?.[0].length ?? 0)
  Object.assign(read, {
    fence: mark,
    open: null,
    group: read.group + 1,
    info: info < told.to ? { ...told, from: info } : null,
  })
}

const isTable = (block: Block | undefined): boolean => block?.kind === 'header' || block?.kind === 'row'

const rowKind = (line: Line, next: Line | undefined, before: Block | undefined): 'header' | 'row' | null => {
  if (!line.text.includes('|')) return null
  if (next?.touches && next.text.includes('|') && separator.test(inner(next.text))) return 'header'
  return (line.touches && isTable(before)) || /^\|.*\|$/.test(inner(line.text).trim()) ? 'row' : null
}

const take = (read: Read, line: Line, next: Line | undefined): void => {
  const mark = markOf(line.text, read.numbers)
  const rest = line.text.slice(mark.length)
  const told = { from: line.from + mark.length, to: line.to }
  const fence = fenced.exec(rest)?.[1]
  const title = hashes.exec(rest)
  const before = read.blocks.at(-1)
  const row = rowKind(line, next, before)
  if (fence) return openFence(read, fence, told, rest)
  if (onlyMarks.test(rest)) {
    if (read.open?.kind === 'prose' && /^(?:=+|-+)\s*$/.test(rest))
      Object.assign(read.open, { kind: 'heading', depth: rest.startsWith('=') ? 1 : 2 })
    read.open = null
  } else if (title) {
    read.group += 1
    add(read, 'heading', title[1]?.length ?? 1, { ...told, from: told.from + title[0].length })
  } else if (row) {
    if (row === 'header' || !line.touches || !isTable(before)) read.group += 1
    add(read, row, 0, told)
  } else if (/[-*+•\d.)]\s*$/.test(mark)) {
    if (before?.kind !== 'item') read.group += 1
    add(read, 'item', line.text.length - inner(line.text).length, told, true)
  } else if (read.open) read.open.told.push(told)
  else {
    read.group += 1
    const isTitle = bold.test(rest) && !next?.touches
    add(read, isTitle ? 'heading' : 'prose', isTitle ? belowHeadings : 0, told, !isTitle)
  }
}

export const blocksOf = (draft: string): Block[] => {
  const read: Read = { blocks: [], open: null, fence: '', info: null, group: 0, numbers: new Set() }
  const lines = linesOf(draft)
  lines.forEach((line, at) => {
    if (!line.touches) read.open = null
    if (read.fence !== '') code(read, line)
    else take(read, line, lines[at + 1])
  })
  if (read.info) add(read, 'code', 0, read.info)
  return read.blocks
}
