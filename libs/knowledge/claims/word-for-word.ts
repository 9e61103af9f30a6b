import { ownTitle, type Passage } from '@plumbline/contracts'
import { columnNames } from '../chunking/markdown-table'
import { passageTables } from '../chunking/tables'
import { oneLine, plainSigns } from '../text'
import { withoutCitations } from './citations'
import { isLeadIn, placedIn, type Placed } from './pieces'

/** Removes citations, emphasis and final punctuation. Strikethrough remains, because it reverses the meaning. */
const bare = (text: string): string =>
  oneLine(plainSigns(withoutCitations(text).normalize('NFKC').replace(/[*_`]/g, '')))
    .replace(/[\s.;]+$/, '')
    .toLowerCase()

const lines = (pieces: Placed[]): number =>
  pieces
    .map(({ raw }) => raw)
    .join('')
    .split(/\r\n?|\n/).length

/**
 * Returns true for a list item that may be only a part of a sentence. A lead-in such as `It is forbidden to:` reverses
 * the meaning of the items below it.
 */
const isFragment = (all: Placed[], at: number): boolean => {
  const piece = all[at]
  if (piece?.block.kind !== 'item' || /[.!?。！？]["'”’»)*_]*$/.test(piece.text)) return false
  const lead = all.slice(0, at).findLast(({ block }) => block.kind !== 'item' || block.depth < piece.block.depth)
  return lead !== undefined && isLeadIn(lead)
}

type Read = { pieces: Placed[]; rows: Set<string> }

const read = new WeakMap<Passage, Read>()
const readOf = (passage: Passage): Read => {
  const known = read.get(passage)
  if (known) return known
  const tables = passageTables(passage)
  const lines = passage.text.split('\n')
  for (const { line, rows } of tables) lines.fill('', line, line + 2 + rows.length)
  const rows = tables.flatMap((table) => [columnNames(table.header), ...table.rows])
  const found = { pieces: placedIn(lines.join('\n')), rows: new Set(rows.map((cells) => bare(cells.join(' | ')))) }
  read.set(passage, found)
  return found
}

const mostPieces = 4

const standsIn = (said: string, { pieces: all, rows }: Read): boolean =>
  rows.has(said) ||
  all.some((first, at) =>
    Array.from({ length: mostPieces }, (_, n) => all.slice(at, at + n + 1)).some((run, n) => {
      const isOne = run.length === n + 1 && run.every(({ block }) => block === first.block)
      const isLed = run.length === 2 && n === 1 && isLeadIn(first) && run[1]?.block.kind === 'item'
      if (!(isOne && !isFragment(all, at)) && !isLed) return false
      return bare(run.map(({ text }) => text).join(' ')) === said && lines(run) <= (isLed ? 3 : 2)
    }),
  )

const titles = (passage: Passage): string[] => [passage.title, ownTitle(passage), ...passage.headingPath]

/**
 * Finds a passage that contains the text word for word. The text must be whole sentences, a list item, a table row, a
 * heading or a line of code of the passage. Otherwise returns null.
 */
export const standsWordForWord = (text: string, passages: Passage[]): { passageId: string } | null => {
  const said = bare(text)
  const found = passages.find(
    (passage) => titles(passage).some((title) => bare(title) === said) || standsIn(said, readOf(passage)),
  )
  return said === '' || !found ? null : { passageId: found.id }
}
