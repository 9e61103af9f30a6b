import { citationPattern } from './citations'
import { isLeadIn, type Piece, type Placed, piecesOf, placedIn } from './pieces'
import { withoutPieces } from './without-pieces'

/** Returns true if both are in one sentence, or in one list, table or code block with its heading and lead-in. */
const continues = (before: Placed, piece: Placed): boolean => {
  if (piece.text === '') return true
  const [above, own] = [before.block, piece.block]
  if (above.kind === 'heading') return true
  if (above.group === own.group && own.kind !== 'prose') return true
  return isLeadIn(before) && own.kind !== 'heading'
}

/** A whole word proves that a new sentence has begun. A bracket may still be a citation of the previous sentence. */
const firstWord = /^["'“‘«(*_`]*[\p{L}\p{N}][^\s]*\s/u

const openingFence = /(?:^|\n)[ \t>]*(?:`{3,}|~{3,})[^\n]*\s*$/

const startOf = (draft: string, before: Placed, piece: Placed): number => {
  if (piece.block === before.block) return piece.from
  const line = draft.lastIndexOf('\n', piece.from) + 1
  const fence = piece.block.kind === 'code' ? draft.slice(0, line).search(openingFence) : -1
  return fence < 0 ? line : fence
}

const isSame = (a: Piece, b: Piece | undefined): boolean =>
  b !== undefined && a.text === b.text && a.form === b.form && a.marks.join() === b.marks.join()

const isHeadOf = (head: Piece[], whole: Piece[]): boolean => head.every((piece, at) => isSame(piece, whole[at]))

/** The beginning of a draft that later text cannot change. `ends`: where each sentence, list, table or code ends. */
export type ClosedPart = { text: string; ends: number[] }

/** A sentence or table is complete once the next one has begun. Returns nothing if no more than `known` is complete. */
export const closedPart = (draft: string, known = 0): ClosedPart => {
  const all = placedIn(draft)
  const ends: number[] = []
  for (const [at, piece] of all.entries()) {
    const before = all[at - 1]
    if (!before || continues(before, piece)) continue
    const isLast = at === all.length - 1
    // Stop here, because a line with a bar may still become the header of a table.
    if (piece.block === before.block && piece.block.told.some(({ from, to }) => draft.slice(from, to).includes('|')))
      break
    if (isLast && !firstWord.test(draft.slice(piece.from))) break
    ends.push(draft.slice(0, startOf(draft, before, piece)).trimEnd().length)
  }
  // Return early if nothing was added, because the code below parses the draft again for each end.
  if ((ends.at(-1) ?? 0) <= known) return { text: '', ends: [] }
  const whole = piecesOf(draft)
  const closed = ends.filter((end) => isHeadOf(piecesOf(draft.slice(0, end)), whole))
  return { text: draft.slice(0, closed.at(-1) ?? 0), ends: closed }
}

/** A link definition would change the meaning of an earlier `[1]`. */
const linkDefinition = /^ {0,3}\[[^\]]+\]:.*$/gm
const citationsAlone = new RegExp(String.raw`^\s*(?:${citationPattern}\s*)+`)

/** Returns the text that the reader already has, and the rest of the draft without repeated sentences. */
export const continueShown = (shown: string, draft: string): string => {
  const head = piecesOf(shown)
  const starts = draft.startsWith(shown)
  if (starts && isHeadOf(head, piecesOf(draft)) && draft.slice(shown.length).search(linkDefinition) === -1) return draft
  const known = new Set(head.map(({ text }) => text))
  const after = starts ? draft.slice(shown.length) : draft
  const isKnown = ({ text }: Piece): boolean => known.has(text)
  const later = placedIn(after)
  const groupOf = ({ from }: Piece): number | undefined => later.find((placed) => placed.from === from)?.block.group
  const pieces = piecesOf(after)
  // Single lines of code and rows may repeat, so only a code block or table that repeats as a whole is removed.
  const isRepeated = (piece: Piece): boolean =>
    isKnown(piece) &&
    ((piece.form !== 'code' && piece.form !== 'row') ||
      pieces.filter((other) => groupOf(other) === groupOf(piece)).every(isKnown))
  const rest = withoutPieces(after, pieces.filter(isRepeated))
    .replace(linkDefinition, '')
    .replace(citationsAlone, '')
    .trim()
  return rest === '' ? shown : `${shown}\n\n${rest}`
}
