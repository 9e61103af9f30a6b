export type TextSpan = { from: number; to: number }

const withoutWhiteSpace = (text: string): { letters: string; at: number[] } => {
  const at: number[] = []
  let letters = ''
  for (let offset = 0; offset < text.length; offset += 1) {
    const letter = text.charAt(offset)
    if (/\s/.test(letter)) continue
    letters += letter
    at.push(offset)
  }
  return { letters, at }
}

/** Only a line of at least this length can identify a position. Shorter lines occur too often. */
const leastLineLetters = 12
/** At least this share of a passage must be found. Otherwise, the position of the passage is uncertain. */
const leastFoundShare = 0.5

/**
 * Returns a function that finds a passage in the text: as a whole, or else by its lines that occur only once. If
 * neither is possible, it returns no spans.
 */
export const passageFinder = (text: string): ((passage: string) => TextSpan[]) => {
  const { letters, at } = withoutWhiteSpace(text)
  const spanOf = (start: number, length: number): TextSpan => ({
    from: at[start] ?? 0,
    to: (at[start + length - 1] ?? 0) + 1,
  })
  const only = (line: string): TextSpan[] => {
    const start = line.length < leastLineLetters ? -1 : letters.indexOf(line)
    return start < 0 || letters.indexOf(line, start + 1) >= 0 ? [] : [spanOf(start, line.length)]
  }
  return (passage) => {
    const whole = withoutWhiteSpace(passage).letters
    const start = whole === '' ? -1 : letters.indexOf(whole)
    if (start >= 0) return [spanOf(start, whole.length)]
    const lines = passage.split('\n').map((line) => withoutWhiteSpace(line).letters)
    const located = lines.map((line) => ({ line, spans: only(line) })).filter(({ spans }) => spans.length > 0)
    const found = located.reduce((sum, { line }) => sum + line.length, 0)
    return found >= leastFoundShare * whole.length ? located.flatMap(({ spans }) => spans) : []
  }
}

export type Section = { label: string; page?: number; text: string }

const maxSectionLetters = 40_000

/** Splits a long text between paragraphs, because the browser renders each section as a whole. */
const splitLongPart = (text: string): string[] => {
  if (text.length <= maxSectionLetters) return [text]
  const pieces: string[] = []
  let piece = ''
  for (const block of text.split(/(?<=\n)\n+/)) {
    if (piece !== '' && piece.length + block.length > maxSectionLetters) {
      pieces.push(piece)
      piece = ''
    }
    piece += `${block}\n`
  }
  return [...pieces, piece]
}

export const sectionsOf = (parts: readonly { page?: number | undefined; text: string }[]): Section[] => {
  const all = parts.flatMap(({ page, text }) => splitLongPart(text).map((piece) => ({ page, text: piece })))
  return all.map(({ page, text }, nth) => ({
    label: page === undefined ? `Part ${nth + 1}` : `Page ${page}`,
    ...(page !== undefined && { page }),
    text,
  }))
}
