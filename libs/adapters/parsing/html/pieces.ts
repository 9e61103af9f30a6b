/** `text`: a paragraph. `item`: lines of a list. `block`: anything else that stands alone. */
export type Piece = { kind: 'text' | 'item' | 'block'; text: string }

/** No deeper, however deep a list goes: each line would carry its indent. */
const deepest = 8
const indent = (depth: number): string => '    '.repeat(Math.min(depth, deepest))

/** An item of a list: its first paragraph behind the marker, the others below it. */
export const itemOf = (pieces: readonly Piece[], marker: string, depth: number): Piece[] => {
  const [first] = pieces
  const opening: Piece[] = first?.kind === 'text' ? [] : [{ kind: 'text', text: '' }]
  const all = first?.kind === 'item' ? pieces : [...opening, ...pieces]
  const below = `${indent(depth)}${' '.repeat(marker.length + 1)}`
  return all
    .map((piece, at): Piece => {
      if (piece.kind !== 'text') return piece
      const lines = piece.text.split('\n').join(`\n${below}`)
      return { kind: 'item', text: at === 0 ? `${indent(depth)}${marker} ${lines}`.trimEnd() : below + lines }
    })
    .filter(({ text }) => text.trim() !== marker)
}

export const joined = (pieces: readonly Piece[]): string =>
  pieces
    .map(({ kind, text }, at) =>
      at === 0 ? text : `${kind === 'item' && pieces[at - 1]?.kind === 'item' ? '\n' : '\n\n'}${text}`,
    )
    .join('')
