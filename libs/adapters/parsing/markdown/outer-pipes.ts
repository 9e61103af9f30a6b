import { fencedTo, startsTable } from '@plumbline/knowledge/chunking'

const piped = (line: string): string => {
  const row = line.trim()
  return `${row.startsWith('|') ? '' : '| '}${row}${/(?<!\\)\|$/.test(row) ? '' : ' |'}`
}

/** GFM allows tables without the outer pipes; with them every row can be told by itself. */
export const withOuterPipes = (text: string): string => {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const end = fencedTo(lines, at)
    if (end >= 0) at = end
    if (end >= 0 || !startsTable(lines, at) || /^\s*(?:[-*+>]|\d+[.)])\s/.test(lines[at] ?? '')) continue
    for (; at < lines.length && lines[at]?.trim() !== '' && lines[at]?.includes('|'); at += 1) {
      const row = lines[at] ?? ''
      if (!/^\s*\|.*(?<!\\)\|\s*$/.test(row)) lines[at] = piped(row)
    }
  }
  return lines.join('\n')
}
