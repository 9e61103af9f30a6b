import { isLeadIn, type Piece, type Placed, piecesOf, placedIn } from './pieces'
import { withoutPieces } from './without-pieces'

/** A unit is released as a whole. */
const continues = (before: Placed, piece: Placed): boolean => {
  if (piece.text === '') return true
  const [above, own] = [before.block, piece.block]
  if (above.kind === 'heading') return true
  if (above.group === own.group && own.kind !== 'prose') return true
  return isLeadIn(before) && own.kind !== 'heading'
}

/** A letter, a digit or an opening quote, and a further word after it. */
const begun = /^["'“‘«(*_`]*[\p{L}\p{N}][^\s]*\s/u

/** Includes the Markdown marks at the beginning of the line. */
const startOf = (draft: string, before: Placed, piece: Placed): number => {
  if (piece.block === before.block) return piece.from
  if (piece.block.kind !== 'code') return draft.lastIndexOf('\n', piece.from) + 1
  const fence = draft.slice(0, piece.from).search(/^[ \t>]*(?:`{3,}|~{3,})[^\n]*\n?[^\n]*$/m)
  return fence > before.to ? fence : draft.lastIndexOf('\n', piece.from) + 1
}

const isSame = (a: Piece, b: Piece | undefined): boolean =>
  b !== undefined && a.text === b.text && a.form === b.form && a.marks.join() === b.marks.join()

/** The citations must be the same too. */
const isHeadOf = (head: Piece[], whole: Piece[]): boolean => head.every((piece, at) => isSame(piece, whole[at]))

/** Further text cannot change this part of an unfinished draft. */
export type ClosedPart = { text: string; ends: number[] }

/**
 * Whole sentences, lists, tables and code blocks with their lead-ins. A unit is complete when the next one has begun.
 */
export const closedPart = (draft: string): ClosedPart => {
  const all = placedIn(draft)
  const ends: number[] = []
  for (const [at, piece] of all.entries()) {
    const before = all[at - 1]
    if (!before || continues(before, piece)) continue
    // A line with a bar may still become the header of a table.
    if (piece.block === before.block && piece.block.told.some(({ from, to }) => draft.slice(from, to).includes('|')))
      break
    if (!begun.test(draft.slice(piece.from))) break
    ends.push(draft.slice(0, startOf(draft, before, piece)).trimEnd().length)
  }
  const whole = piecesOf(draft)
  const closed = ends.filter((end) => isHeadOf(piecesOf(draft.slice(0, end)), whole))
  return { text: draft.slice(0, closed.at(-1) ?? 0), ends: closed }
}

/** A link definition would change the meaning of an earlier `[1]`. */
const linkDefinition = /^ {0,3}\[[^\]]+\]:.*$/gm
const citationsAlone = /^\s*(?:\[\d{1,2}(?:\s*,\s*\d{1,2})*\]\s*)+/

/** Returns `shown`, which its reader has already read, followed by the rest of the draft without repeated sentences. */
export const continuing = (shown: string, draft: string): string => {
  const head = piecesOf(shown)
  const starts = draft.startsWith(shown)
  if (starts && isHeadOf(head, piecesOf(draft)) && draft.slice(shown.length).search(linkDefinition) === -1) return draft
  const known = new Set(head.map(({ text }) => text))
  const after = starts ? draft.slice(shown.length) : draft
  const rest = withoutPieces(
    after,
    piecesOf(after).filter(({ text }) => known.has(text)),
  )
    .replace(linkDefinition, '')
    .replace(citationsAlone, '')
    .trim()
  return rest === '' ? shown : `${shown}\n\n${rest}`
}
