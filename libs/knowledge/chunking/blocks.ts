export type Block =
  | { kind: 'heading'; level: number; text: string; raw: string }
  | { kind: 'prose' | 'table' | 'code'; text: string }

const atx = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/
const setext = /^ {0,3}(=+|-{2,})[ \t]*$/
const fence = /^ {0,3}(`{3,}|~{3,})/
const delimiterRow = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const frontMatterLine = /^(?:[\w-]+:.*|[ \t]+.*|-[ \t].*|#.*|)$/

/** A heading's words without Markdown's marks. */
const plain = (heading: string): string =>
  heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|`)(.+?)\1/g, '$2')
    .trim()

const frontMatterEnd = (lines: string[]): number => {
  if (lines[0]?.trim() !== '---') return 0
  const end = lines.findIndex((line, at) => at > 0 && line.trim() === '---')
  return end > 1 && lines.slice(1, end).every((line) => frontMatterLine.test(line)) ? end + 1 : 0
}

const startsTable = (lines: string[], at: number): boolean =>
  (lines[at]?.includes('|') ?? false) && (lines[at + 1]?.includes('|') ?? false) && delimiterRow.test(lines[at + 1] ?? '')

/** How many lines from `at` belong to a block that is never cut by what it holds: a fence, a table, an HTML table. */
const wholeBlock = (lines: string[], at: number): { kind: 'table' | 'code'; end: number } | null => {
  const line = lines[at] ?? ''
  const mark = fence.exec(line)?.[1]
  if (mark) {
    const close = lines.findIndex((later, index) => index > at && later.trim().startsWith(mark) && later.trim().replaceAll(mark.charAt(0), '') === '')
    return { kind: 'code', end: close < 0 ? lines.length : close + 1 }
  }
  if (startsTable(lines, at)) {
    const rows = lines.slice(at).findIndex((row) => row.trim() === '' || !row.includes('|'))
    return { kind: 'table', end: rows < 0 ? lines.length : at + rows }
  }
  if (/^\s*<table[\s>]/i.test(line)) {
    const close = lines.findIndex((later, index) => index >= at && /<\/table>/i.test(later))
    return { kind: 'table', end: close < 0 ? lines.length : close + 1 }
  }
  return null
}

/** The blocks of a Markdown text in order: headings, tables, code and what stands between blank lines. */
export const markdownBlocks = (text: string): Block[] => {
  const lines = text.split('\n')
  const found: Block[] = []
  let prose: string[] = []
  const flush = () => {
    const joined = prose.join('\n').trimEnd()
    if (joined.trim() !== '') found.push({ kind: 'prose', text: joined })
    prose = []
  }
  let at = frontMatterEnd(lines)
  if (at > 0) found.push({ kind: 'code', text: lines.slice(0, at).join('\n') })
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const whole = wholeBlock(lines, at)
    const heading = whole ? null : atx.exec(line)
    const underline = prose.length === 1 && !/^\s*(?:[-*+>|]|\d+[.)])/.test(prose[0] ?? '') ? setext.exec(line) : null
    if (whole) {
      flush()
      found.push({ kind: whole.kind, text: lines.slice(at, whole.end).join('\n') })
    } else if (heading) {
      flush()
      found.push({ kind: 'heading', level: heading[1]?.length ?? 1, text: plain(heading[2] ?? ''), raw: line.trim() })
    } else if (underline) {
      const title = prose[0] ?? ''
      prose = []
      found.push({ kind: 'heading', level: underline[1]?.startsWith('=') ? 1 : 2, text: plain(title), raw: title.trim() })
    } else if (line.trim() === '') flush()
    else prose.push(line)
    at = whole ? whole.end : at + 1
  }
  flush()
  return found
}

/** Paragraphs of a plain text; without blank lines each line is one. */
export const textBlocks = (text: string): Block[] => {
  const border = /\n[ \t]*\n/.test(text) ? /\n(?:[ \t]*\n)+/ : /\n/
  return text
    .split(border)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => ({ kind: 'prose', text: paragraph.trimEnd() }))
}
