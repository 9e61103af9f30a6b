export type Span = { from: number; to: number }

/** A text without its white space, and where each character of it stands. */
const squeeze = (text: string): { letters: string; at: number[] } => {
  const at: number[] = []
  let letters = ''
  for (let place = 0; place < text.length; place += 1) {
    const letter = text.charAt(place)
    if (/\s/.test(letter)) continue
    letters += letter
    at.push(place)
  }
  return { letters, at }
}

/** Shorter lines stand in too many places to tell where they are. */
const tellingLetters = 12
/** So much of a passage has to be found for its place to be known. */
const enough = 0.5

/**
 * Finds where a passage stands in the text it was cut from. What was repeated in it, as the header of a table in each of its
 * pieces, has no place of its own: then those of its lines count that stand in one place only. Empty where it cannot be told.
 */
export const placer = (text: string): ((passage: string) => Span[]) => {
  const { letters, at } = squeeze(text)
  const spanOf = (start: number, length: number): Span => ({
    from: at[start] ?? 0,
    to: (at[start + length - 1] ?? 0) + 1,
  })
  const only = (line: string): Span[] => {
    const start = line.length < tellingLetters ? -1 : letters.indexOf(line)
    return start < 0 || letters.indexOf(line, start + 1) >= 0 ? [] : [spanOf(start, line.length)]
  }
  return (passage) => {
    const whole = squeeze(passage).letters
    const start = whole === '' ? -1 : letters.indexOf(whole)
    if (start >= 0) return [spanOf(start, whole.length)]
    const lines = passage.split('\n').map((line) => squeeze(line).letters)
    const placed = lines.map((line) => ({ line, spans: only(line) })).filter(({ spans }) => spans.length > 0)
    const found = placed.reduce((sum, { line }) => sum + line.length, 0)
    return found >= enough * whole.length ? placed.flatMap(({ spans }) => spans) : []
  }
}

export type Section = { label: string; page?: number; text: string }

const longest = 40_000

/** Long parts are shown in pieces, cut between paragraphs: a page is drawn in one go. */
const piecesOf = (text: string): string[] => {
  if (text.length <= longest) return [text]
  const pieces: string[] = []
  let piece = ''
  for (const block of text.split(/(?<=\n)\n+/)) {
    if (piece !== '' && piece.length + block.length > longest) {
      pieces.push(piece)
      piece = ''
    }
    piece += `${block}\n`
  }
  return [...pieces, piece]
}

/** A document as it is looked through: its pages, or pieces of one that has none. */
export const sectionsOf = (parts: readonly { page?: number | undefined; text: string }[]): Section[] => {
  const all = parts.flatMap(({ page, text }) => piecesOf(text).map((piece) => ({ page, text: piece })))
  return all.map(({ page, text }, nth) => ({
    label: page === undefined ? `Part ${nth + 1}` : `Page ${page}`,
    ...(page !== undefined && { page }),
    text,
  }))
}
