import type { Table } from '@plumbline/contracts'
import { tableAt } from './markdown-table'

export const lineBreak = /<br\s*\/?>/i

const link = /!?\[([^[\]]*)\]\([^)]*\)/g

/** Replaces each link by its text. The second replacement is needed for an image inside a link. */
export const withoutLinks = (text: string): string => text.replace(link, '$1').replace(link, '$1')

const codeOrTag = /`[^`]*`|<\/?(?:a|b|br|code|em|i|img|kbd|picture|small|source|span|strong|sub|sup)(?:\s[^>]*)?\/?>/gi

/** `table` is null if the table is written in HTML. */
export type TableBlock = { kind: 'table'; text: string; table: Table | null }
export type Block =
  { kind: 'heading'; level: number; text: string; raw: string } | { kind: 'prose' | 'code'; text: string } | TableBlock

const atx = /^ {0,3}(#{1,6})(?=[ \t]|$)/
const setext = /^ {0,3}(=+|-{2,})[ \t]*$/
/** Matches the first line of a code block. Backticks that are closed on the same line mark inline code instead. */
const fence = /^ {0,3}(`{3,}(?!.*`)|~{3,})/
const frontMatterLine = /^(?:[\w-]+:.*|[ \t]+.*|-[ \t].*|#.*|)$/
/** This limit is in characters. A longer line that begins with `#` is not a heading. */
const longestHeading = 1_000

/** Removes the Markdown marks from a heading. `__` inside a word remains, because it is no emphasis there. */
const plain = (heading: string): string =>
  withoutLinks(heading)
    .replace(codeOrTag, (found) => (found.startsWith('`') ? found : ''))
    .replace(/(?<!\\)(\*\*|`)(.+?)\1|(?<![\\\p{L}\p{N}])__(.+?)__(?![\p{L}\p{N}])/gu, '$2$3')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim()

export const headingIn = (line: string): Block | null => {
  const marks = line.length > longestHeading ? undefined : atx.exec(line)?.[1]
  if (!marks) return null
  const text = line
    .trim()
    .slice(marks.length)
    .replace(/(^|[ \t])#+$/, '$1')
  return { kind: 'heading', level: marks.length, text: plain(text.trim()), raw: line.trim() }
}

const indexFrom = (lines: string[], from: number, is: (line: string) => boolean): number => {
  for (let at = from; at < lines.length; at += 1) if (is(lines[at] ?? '')) return at
  return lines.length
}

const frontMatterEnd = (lines: string[]): number => {
  if (lines[0]?.trim() !== '---') return 0
  const end = indexFrom(lines, 1, (line) => line.trim() === '---')
  return end > 1 && end < lines.length && lines.slice(1, end).every((line) => frontMatterLine.test(line)) ? end + 1 : 0
}

export const fenceOf = (line: string): string | undefined => fence.exec(line)?.[1]

export const fencedTo = (lines: string[], at: number): number => {
  const mark = fenceOf(lines[at] ?? '')
  if (!mark) return -1
  const close = indexFrom(
    lines,
    at + 1,
    (later) => later.trim().startsWith(mark) && later.trim().replaceAll(mark.charAt(0), '') === '',
  )
  return Math.min(close, lines.length - 1)
}

const htmlTableEnd = /<\/table>/i

type Whole = { end: number; block: (text: string) => Block }

const fromHtml = (text: string): Block => ({ kind: 'table', text, table: null })

/** `tables` lists the tables of the text, if they are already known. */
const wholeBlocks = (lines: string[], tables: readonly Table[] | undefined) => {
  const known = tables && new Map(tables.map((table) => [table.line, table]))
  const lastEnd = lines.findLastIndex((line) => htmlTableEnd.test(line))
  return (at: number): Whole | null => {
    const code = fencedTo(lines, at)
    if (code >= 0) return { end: code + 1, block: (text) => ({ kind: 'code', text }) }
    const table = known ? known.get(at) : tableAt(lines, at)
    if (table) return { end: at + 2 + table.rows.length, block: (text) => ({ kind: 'table', text, table }) }
    if (at > lastEnd || !/^\s*<table(?:[\s>]|$)/i.test(lines[at] ?? '')) return null
    return { end: indexFrom(lines, at, (later) => htmlTableEnd.test(later)) + 1, block: fromHtml }
  }
}

export const markdownBlocks = (text: string, opens = true, tables?: readonly Table[]): Block[] => {
  const lines = text.split('\n')
  const found: Block[] = []
  let prose: string[] = []
  const flush = () => {
    const joined = prose.join('\n').trimEnd()
    if (joined.trim() !== '') found.push({ kind: 'prose', text: joined })
    prose = []
  }
  const wholeAt = wholeBlocks(lines, tables)
  let at = opens ? frontMatterEnd(lines) : 0
  if (at > 0) found.push({ kind: 'code', text: lines.slice(0, at).join('\n') })
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const whole = wholeAt(at)
    const heading = whole ? null : headingIn(line)
    const title = prose.length === 1 ? (prose[0] ?? '') : ''
    const underline =
      title === '' || title.length > longestHeading || /^\s*(?:[-*+>|]|\d+[.)])/.test(title) ? null : setext.exec(line)
    if (whole) {
      flush()
      found.push(whole.block(lines.slice(at, whole.end).join('\n')))
    } else if (heading) {
      flush()
      found.push(heading)
    } else if (underline) {
      prose = []
      found.push({
        kind: 'heading',
        level: underline[1]?.startsWith('=') ? 1 : 2,
        text: plain(title),
        raw: title.trim(),
      })
    } else if (line.trim() === '') flush()
    else prose.push(line)
    at = whole ? whole.end : at + 1
  }
  flush()
  return found
}

/** Matches a line of one repeated mark, as in reStructuredText. */
const rule = /^([=~^"*#+_-])\1{2,}[ \t]*$/
/** A line with wide gaps is a row of a table and not a title. */
const titleLine = /^(?!.*(?: {2}|\t)).*[\p{L}\p{N}]/u

/** Finds a title that is underlined at its whole length, and possibly overlined, at the start of a paragraph. */
const underlinedTitle = (lines: string[]): { title: string; mark: string; end: number } | null => {
  const over = rule.exec(lines[0] ?? '')?.[1] ?? ''
  const [line = '', under = ''] = over === '' ? lines : lines.slice(1)
  const mark = rule.exec(under)?.[1]
  const title = line.trim()
  if (!mark || (over !== '' && over !== mark) || !titleLine.test(title) || under.trim().length < title.length)
    return null
  return { title, mark: over + mark, end: over === '' ? 2 : 3 }
}

/** Matches a heading of an outline, which begins with one star per level. */
const outlineHeading = /^(\*+) (.*[^*\s])[ \t]*$/

/** An outline has at least two levels of headings, and at least as many other paragraphs. Otherwise stars mark a list. */
const isOutline = (paragraphs: readonly string[]): boolean => {
  const stars = paragraphs.flatMap((paragraph) => outlineHeading.exec(paragraph)?.[1] ?? [])
  return stars.includes('*') && stars.includes('**') && 2 * stars.length <= paragraphs.length
}

/**
 * Splits a text into headings, and paragraphs at its blank lines. In a text without blank lines, each line is a
 * paragraph. Each kind of underline is one level, in the order of first use, which `marks` keeps for a document.
 */
export const textBlocks = (text: string, marks: string[]): Block[] => {
  const border = /\n[ \t]*\n/.test(text) ? /\n(?:[ \t]*\n)+/ : /\n/
  const paragraphs = text.split(border).filter((paragraph) => paragraph.trim() !== '')
  const outlined = isOutline(paragraphs)
  return paragraphs.flatMap((paragraph): Block[] => {
    const [, stars, heading] = (outlined && outlineHeading.exec(paragraph)) || []
    if (stars && heading) return [{ kind: 'heading', level: Math.min(stars.length, 6), text: heading, raw: heading }]
    const lines = paragraph.split('\n')
    const found = underlinedTitle(lines)
    if (!found) return [{ kind: 'prose', text: paragraph.trimEnd() }]
    const { title, mark, end } = found
    if (!marks.includes(mark)) marks.push(mark)
    const rest = lines.slice(end).join('\n').trimEnd()
    return [
      { kind: 'heading', level: Math.min(marks.indexOf(mark) + 1, 6), text: title, raw: title },
      ...(rest === '' ? [] : [{ kind: 'prose' as const, text: rest }]),
    ]
  })
}
