import { sentences } from '../text'

/** Joins neighbours into pieces of about equal size, none over `max` unless one part alone is. */
const pack = (parts: string[], joint: string, max: number): string[] => {
  const total = parts.reduce((sum, part) => sum + part.length + joint.length, 0)
  const target = total / Math.ceil(total / max)
  const pieces: string[] = []
  for (const part of parts) {
    const last = pieces.at(-1)
    const fits = last !== undefined && last.length < target && last.length + joint.length + part.length <= max
    if (fits) pieces[pieces.length - 1] = last + joint + part
    else pieces.push(part)
  }
  return pieces
}

const hardCut = (text: string, max: number): string[] => {
  const pieces: string[] = []
  let rest = text
  while (rest.length > max) {
    const space = rest.lastIndexOf(' ', max)
    const end = space > max / 2 ? space : rest.charCodeAt(max - 1) >= 0xd800 && rest.charCodeAt(max - 1) < 0xdc00 ? max - 1 : max
    pieces.push(rest.slice(0, end).trim())
    rest = rest.slice(end).trim()
  }
  return rest === '' ? pieces : [...pieces, rest]
}

/** A paragraph too long to stand alone is cut at lines, then at sentences, then at words. */
const cut = (paragraph: string, max: number): string[] => {
  if (paragraph.length <= max) return [paragraph]
  const lines = paragraph.split('\n')
  if (lines.length > 1) return pack(lines.flatMap((line) => cut(line, max)), '\n', max)
  const parts = sentences(paragraph)
  return parts.length > 1 ? pack(parts.flatMap((part) => hardCut(part, max)), ' ', max) : hardCut(paragraph, max)
}

export const splitProse = (paragraphs: string[], max: number): string[] => pack(paragraphs.flatMap((paragraph) => cut(paragraph, max)), '\n\n', max)

/** A table over `max` is cut between rows; every piece repeats the caption and the header rows. */
export const splitTable = (caption: string, table: string, max: number): string[] => {
  const lead = caption === '' ? '' : `${caption}\n\n`
  if (lead.length + table.length <= max || !table.includes('|')) return [lead + table]
  const [header = '', rule = '', ...rows] = table.split('\n')
  const head = `${lead}${header}\n${rule}\n`
  return pack(rows, '\n', Math.max(max - head.length, header.length)).map((piece) => head + piece)
}
