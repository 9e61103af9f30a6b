export type Cells = string[][]

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Ignores white space, case, markup, kinds of dashes and quotes, dot leaders, and hyphens at line ends. */
export const plainCell = (cell: string): string =>
  cell
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/<!--.*?-->/gs, ' ')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(amp|lt|gt|quot|apos|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/!?\[([^\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/\\([^A-Za-z0-9\s])/g, '$1')
    .replace(/\*\*|__|~~|`|\^/g, '')
    .replace(/(^|\s)[*_]+|[*_]+(?=\s|$)/g, '$1')
    .normalize('NFKC')
    .replace(/[\u00ad\u200b-\u200f\ufeff]/g, '')
    .replace(/[‐‑‒–—−]/g, '-')
    .replace(/[‘’‚′`´]/g, "'")
    .replace(/[“”„″]/g, '"')
    .replace(/[•·●▪■◦]/g, '')
    .replace(/(?<=\p{L})-\s*(?=\p{Ll})/gu, '')
    .replace(/(?:\s*[.…]){3,}/g, '')
    .replace(/\${2}/g, '$')
    .replace(/\s+/g, '')
    .toLowerCase()

const trimmed = (rows: Cells): Cells => {
  const kept = rows.filter((row) => row.some((cell) => cell !== ''))
  const width = Math.max(0, ...kept.map((row) => row.length))
  const columns = Array.from({ length: width }, (_, at) => at).filter((at) => kept.some((row) => row[at]))
  return kept.map((row) => columns.map((at) => row[at] ?? ''))
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|'))
const isRule = (line: string): boolean => line.includes('|') && /^\s*\|?(\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$/.test(line)

export const tablesIn = (markdown: string): Cells[] => {
  const lines = markdown.split('\n')
  const tables: Cells[] = []
  for (let at = 1; at < lines.length; at += 1) {
    const head = lines[at - 1] ?? ''
    if (!isRule(lines[at] ?? '') || !head.includes('|')) continue
    const end = lines.findIndex((line, index) => index > at && !(line.trim() !== '' && line.includes('|')))
    const last = end < 0 ? lines.length : end
    tables.push(trimmed([head, ...lines.slice(at + 1, last)].map((line) => cellsOf(line).map(plainCell))))
    at = last
  }
  return tables.filter((rows) => rows.length > 0)
}
