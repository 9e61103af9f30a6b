const fence = /^ {0,3}(`{3,}|~{3,})/
const isDelimiter = (line: string): boolean =>
  line.includes('|') &&
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .every((cell) => /^:?-+:?$/.test(cell.trim()))

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
    const mark = fence.exec(line)?.[1] ?? ''
    if (mark !== '' && open === '') open = mark
    else if (open !== '' && line.trim().startsWith(open) && line.trim().replaceAll(open.charAt(0), '') === '') open = ''
    if (open !== '' || !line.includes('|') || !isDelimiter(lines[at + 1] ?? '') || /^\s*(?:[-*+>]|\d+[.)])\s/.test(line)) continue
    for (; at < lines.length && lines[at]?.trim() !== '' && lines[at]?.includes('|'); at += 1) {
      const row = lines[at] ?? ''
      if (!/^\s*\|.*(?<!\\)\|\s*$/.test(row)) lines[at] = piped(row)
    }
  }
  return lines.join('\n')
}
