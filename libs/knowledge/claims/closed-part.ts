import { citationPattern } from './citations'
import { isLeadIn, type Piece, type Placed, piecesOf, placedIn } from './pieces'
import { withoutPieces } from './without-pieces'

/**
 * Returns true if the piece belongs to the piece before it. This is the case for a citation, for text below a heading
 * or a lead-in, and for lines of one list, table or code block.
 */
const continues = (before: Placed, piece: Placed): boolean => {
  if (piece.text === '') return true
  const [above, own] = [before.block, piece.block]
  if (above.kind === 'heading') return true
  if (above.group === own.group && own.kind !== 'prose') return true
  return isLeadIn(before) && own.kind !== 'heading'
}

/**
 * Matches a whole word, which proves that a new sentence has begun. A bracket may be a citation of the previous one.
 */
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

/**
 * `text` is the beginning of a draft, which later text cannot change. `ends` lists the positions in this text where a
 * sentence, a list, a table or a code block ends.
 */
export type ClosedPart = { text: string; ends: number[] }

/**
 * Returns the complete sentences and blocks of a draft that is still being written. A sentence or block is complete
 * once the next one has begun. Returns nothing if the complete part has at most `known` characters.
 */
export const closedPart = (draft: string, known = 0): ClosedPart => {
  const all = placedIn(draft)
  const ends: number[] = []
  for (const [at, piece] of all.entries()) {
    const before = all[at - 1]
    if (!before || continues(before, piece)) continue
    const isLast = at === all.length - 1
    // Stop here, because a line with a bar (`|`) may still become the header of a table.
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

/** Matches a link definition, which would turn an earlier `[1]` into a link. */
const linkDefinition = /^ {0,3}\[[^\]]+\]:.*$/gm
const citationsAlone = new RegExp(String.raw`^\s*(?:${citationPattern}\s*)+`)

/**
 * Returns the text that the reader already sees, followed by the rest of the draft. Sentences that the reader already
 * sees are removed from the rest.
 */
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
  // A line of code or a table row may occur twice, so it is removed only if its whole block or table repeats.
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
