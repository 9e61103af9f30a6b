import type { ParsedDocument } from '@plumbline/contracts'
import { fencedTo } from '@plumbline/knowledge/chunking/blocks'
import { startsTable } from '@plumbline/knowledge/chunking/markdown-table'
import { Unfit } from '@plumbline/ports/document-parser'
import { parse } from 'yaml'
import type { Reading } from '../limits'
import { plainText } from '../text/read-text'

const blockTag =
  /^ {0,3}<(\/?)(address|article|aside|blockquote|center|details|dir|div|dl|fieldset|figure|footer|form|h[1-6]|header|main|menu|nav|ol|p|picture|pre|section|summary|table|ul)(?=[\s/>]|$)/i
const onlyTags = /^\s*(?:<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?>\s*)+$/i

const count = (line: string, tag: RegExp): number => line.match(tag)?.length ?? 0

const closing = (lines: string[], from: number, name: string): number => {
  const open = new RegExp(`<${name}(?=[\\s/>]|$)`, 'gi')
  const close = new RegExp(`</${name}\\s*>`, 'gi')
  let depth = 0
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    depth += count(line, open) - count(line, close)
    if (depth <= 0) return at
  }
  return -1
}

/** The names of HTML elements whose end tag is missing, so that the search for it is not repeated. */
type Endless = Set<string>

/** Finds an HTML comment. Returns null if none begins here, or if its end is missing. The text then stays as it is. */
const comment = (
  line: string,
  lines: string[],
  at: number,
  endless: Endless,
): { text: string; next: number } | null => {
  const from = /^ {0,3}<!--/.test(line) ? line.indexOf('<!--') : -1
  if (from < 0 || endless.has('!--')) return null
  for (let end = at; end < lines.length; end += 1) {
    const close = (lines[end] ?? '').indexOf('-->', end === at ? from + 4 : 0)
    if (close >= 0) return { text: (lines[end] ?? '').slice(close + 3), next: end + 1 }
  }
  endless.add('!--')
  return null
}

const htmlBlock = (lines: string[], at: number, endless: Endless): { html: string; next: number } | null => {
  const [, slash, tag = ''] = blockTag.exec(lines[at] ?? '') ?? []
  const name = tag.toLowerCase()
  if (tag === '' || slash || endless.has(name)) return null
  const end = closing(lines, at, name)
  if (end < 0) endless.add(name)
  const html = lines.slice(at, end + 1).join('\n')
  // In Markdown, a blank line ends an HTML block. Only tables and code may contain blank lines.
  return end < 0 || (name !== 'table' && name !== 'pre' && /\n[ \t]*\n/.test(html)) ? null : { html, next: end + 1 }
}

const withoutHtml = (text: string, toMarkdown: (html: string) => string): string => {
  const lines = text.split('\n')
  const out: string[] = []
  const endless: Endless = new Set()
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const end = fencedTo(lines, at)
    const hidden = end >= 0 ? null : comment(line, lines, at, endless)
    const block = end >= 0 || hidden ? null : htmlBlock(lines, at, endless)
    if (end >= 0) {
      out.push(lines.slice(at, end + 1).join('\n'))
      at = end + 1
    } else if (hidden) {
      if (hidden.text.trim() !== '') out.push(hidden.text)
      at = hidden.next
    } else if (block) {
      out.push('', toMarkdown(block.html), '')
      at = block.next
    } else {
      out.push(blockTag.test(line) && onlyTags.test(line) ? '' : line)
      at += 1
    }
  }
  return out.join('\n')
}

export const hasHtml = (text: string): boolean => /^ {0,3}<(?:[a-z/]|!--)/im.test(text)

const piped = (line: string): string => {
  const row = line.trim()
  return `${row.startsWith('|') ? '' : '| '}${row}${/(?<!\\)\|$/.test(row) ? '' : ' |'}`
}

/** Adds outer pipes to table rows, which GitHub's Markdown allows to omit. The rows are then easier to recognize. */
const withOuterPipes = (text: string): string => {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const end = fencedTo(lines, at)
    if (end >= 0) at = end
    if (end >= 0 || !startsTable(lines, at) || /^\s*(?:[-*+>]|\d+[.)])\s/.test(lines[at] ?? '')) continue
    while (at < lines.length && lines[at]?.trim() !== '' && lines[at]?.includes('|')) {
      const row = lines[at] ?? ''
      if (!/^\s*\|.*(?<!\\)\|\s*$/.test(row)) lines[at] = piped(row)
      // Leave the line after the table to the outer loop, because this line may open a code block.
      if (!lines[at + 1]?.includes('|')) break
      at += 1
    }
  }
  return lines.join('\n')
}

export const frontMatter = /^(---|\+\+\+)[ \t]*\n([\s\S]{0,20000}?)\n\1[ \t]*(?:\n|$)/

const unquoted = (value: string): string => {
  const text = value.trim()
  const quote = text.charAt(0)
  return (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote) ? text.slice(1, -1).trim() : text
}

const most = { names: 64, nameChars: 64, chars: 256 }

const valueText = (value: unknown): string =>
  (Array.isArray(value)
    ? value.map(valueText).join(', ')
    : value !== null && typeof value === 'object'
      ? JSON.stringify(value)
      : String(value ?? '')
  )
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, most.chars)

const byLine = (told: string): Record<string, string> =>
  Object.fromEntries(
    [...told.matchAll(/^([\w-]+)[ \t]*=[ \t]*(\S.*)$/gm)].map(([, name = '', value = '']) => [name, unquoted(value)]),
  )

const settingsOf = (mark: string, told: string): Record<string, unknown> | undefined => {
  if (mark === '+++') return byLine(told)
  try {
    const value: unknown = parse(told, { schema: 'failsafe', maxAliasCount: 10 })
    return value !== null && typeof value === 'object' && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

const withoutFrontMatter = (text: string): { metadata: Record<string, string>; text: string } => {
  const [front = '', mark = '', told = ''] = frontMatter.exec(text) ?? []
  const settings = front === '' ? undefined : settingsOf(mark, told)
  if (!settings) return { metadata: {}, text }
  const entries = Object.entries(settings)
    .map(([name, value]) => [name.slice(0, most.nameChars), valueText(value)] as const)
    .filter(([, value]) => value !== '')
  return {
    metadata: Object.fromEntries(entries.slice(0, most.names)),
    text: text.slice(front.length).replace(/^\n+/, ''),
  }
}

export const readMarkdown = async (bytes: Uint8Array, { name }: Reading): Promise<ParsedDocument> => {
  const { metadata, text: source } = withoutFrontMatter(plainText(bytes, name))
  const text = withOuterPipes(
    hasHtml(source) ? withoutHtml(source, (await import('../html/html-to-markdown')).htmlToMarkdown) : source,
  )
  if (text.trim() === '') throw new Unfit('no-text', `${name} is empty. Upload a file that contains text.`)
  const { title, ...others } = metadata
  return {
    ...(title && { title }),
    ...(Object.keys(others).length > 0 && { metadata: others }),
    markup: 'markdown',
    parts: [{ text }],
  }
}
