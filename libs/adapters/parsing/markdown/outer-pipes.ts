import { fenceOf, startsTable } from '@plumbline/knowledge/chunking'

const piped = (line: string): string => {
  const row = line.trim()
  return `${row.startsWith('|') ? '' : '| '}${row}${/(?<!\\)\|$/.test(row) ? '' : ' |'}`
}

/** GFM allows tables without the outer pipes; with them every row can be told by itself. */
export const withOuterPipes = (text: string): string => {
  const lines = text.split('\n')
  let open = ''
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const mark = fenceOf(line) ?? ''
    if (mark !== '' && open === '') open = mark
    else if (open !== '' && line.trim().startsWith(open) && line.trim().replaceAll(open.charAt(0), '') === '') open = ''
    if (open !== '' || !startsTable(lines, at) || /^\s*(?:[-*+>]|\d+[.)])\s/.test(line)) continue
    for (; at < lines.length && lines[at]?.trim() !== '' && lines[at]?.includes('|'); at += 1) {
      const row = lines[at] ?? ''
      if (!/^\s*\|.*(?<!\\)\|\s*$/.test(row)) lines[at] = piped(row)
    }
  }
  return lines.join('\n')
}
