import { blocksOf, type Block, type BlockKind, type Span } from './blocks'
import { marksIn, oneVisibleLine, sentenceStarts, withoutCitations } from './citations'

/** A piece of a draft is a sentence, heading, list item, table row or line of code. Each piece is checked alone. */
export type Piece = {
  /** The text without citation marks. */
  text: string
  /** The text of the draft between the offsets `from` and `to`. */
  raw: string
  marks: number[]
  from: number
  to: number
  form: 'sentence' | 'heading' | 'item' | 'row' | 'code'
  /** Whether the piece introduces other pieces, as a heading, a table header or a line with a final colon does. */
  leads: boolean
}
/** A piece with its block. `text` is empty if the piece contains only citations. */
export type Placed = Omit<Piece, 'leads'> & { block: Block }

const forms: Record<BlockKind, Piece['form']> = {
  prose: 'sentence',
  heading: 'heading',
  item: 'item',
  header: 'row',
  row: 'row',
  code: 'code',
}

/** Replaces Markdown marks by spaces, so that positions in the text stay valid. */
const masked = (draft: string, told: Span[]): string =>
  told.reduce((text, { from, to }) => text.padEnd(from - (told[0]?.from ?? 0)) + draft.slice(from, to), '')

const cells = (text: string): string => text.replace(/^\s*\|\s*|\s*\|\s*$/g, '').replace(/\s*\|\s*/g, ' | ')

const inBlock = (draft: string, block: Block): Placed[] => {
  const form = forms[block.kind]
  const mask = masked(draft, block.told)
  const starts = form === 'sentence' || form === 'item' ? sentenceStarts(mask) : []
  return [0, ...starts].flatMap((start, n) => {
    const part = mask.slice(start, starts[n])
    const from = (block.told[0]?.from ?? 0) + start + part.length - part.trimStart().length
    const to = from + part.trim().length
    // In code, a bracket such as `[1]` is not a citation.
    const bare = form === 'code' ? oneVisibleLine(part) : withoutCitations(part)
    const text = form === 'row' ? cells(bare) : bare
    return to === from
      ? []
      : [{ text, raw: draft.slice(from, to), marks: form === 'code' ? [] : marksIn(part), from, to, form, block }]
  })
}

export const placedIn = (draft: string): Placed[] => blocksOf(draft).flatMap((block) => inBlock(draft, block))

export const isLeadIn = ({ text }: Pick<Piece, 'text'>): boolean => /[:：]["'”’»)*_]*$/.test(text)

const isUnder = (lead: Placed, first: Placed): ((other: Placed) => boolean) => {
  const { block } = lead
  const below = first.block
  if (block.kind === 'heading') return (other) => other.block.kind !== 'heading' || other.block.depth > block.depth
  if (block.kind === 'header') return (other) => other.block.group === block.group && other.block.kind === 'row'
  if (block.kind === 'item' && (below === block || below.kind === 'item'))
    return (other) => other.block === block || (other.block.kind === 'item' && other.block.depth > block.depth)
  const leads = isLeadIn(lead) && below.kind !== 'prose' && below.kind !== 'heading'
  return (other) => leads && other.block.group === below.group
}

/**
 * Returns the pieces below the piece at the index `at`, if it is a heading, a table header, a lead-in or the first
 * sentence of a list item.
 */
const under = (all: Placed[], at: number): Placed[] => {
  const [lead, first] = [all[at], all[at + 1]]
  if (!lead || !first) return []
  const belongs = isUnder(lead, first)
  const end = all.findIndex((other, n) => n > at && !belongs(other))
  return all.slice(at + 1, end < 0 ? undefined : end)
}

/** Returns the pieces that the piece at `at` introduces. A list item introduces pieces only if it ends with a colon. */
export const ledBy = (all: Placed[], at: number): Placed[] => {
  const piece = all[at]
  return !piece || (piece.block.kind === 'item' && !isLeadIn(piece)) ? [] : under(all, at)
}

/**
 * Returns the citations that follow on a separate line. They apply to the whole code block or table above them, but in
 * other text only to the last piece.
 */
const citedBelow = (all: Placed[], at: number): number[] => {
  const own = all[at]?.block
  const isMany = own?.kind === 'code' || own?.kind === 'row'
  const from = all.findIndex(({ text, block }, n) => n > at && (!isMany || text === '' || block.group !== own.group))
  const end = all.findIndex(({ text }, n) => n >= from && text !== '')
  return from < 0 ? [] : all.slice(from, end < 0 ? undefined : end).flatMap(({ marks }) => marks)
}

/** Returns the citations of the line that introduces a code block, because code itself cannot contain citations. */
const citedAbove = (all: Placed[], at: number): number[] => {
  const block = all[at]?.block
  const before = all.slice(0, at).findLast(({ block: { group } }) => group !== block?.group)
  return block?.kind === 'code' && before && isLeadIn(before) ? before.marks : []
}

const marksOf = (all: Placed[], at: number): number[] => {
  const own = [...(all[at]?.marks ?? []), ...citedBelow(all, at)]
  if (own.length > 0) return [...new Set(own)]
  const led = under(all, at).flatMap(({ marks }) => marks)
  return [...new Set(led.length > 0 ? led : citedAbove(all, at))]
}

/** Splits a draft into the pieces to check. White space, Markdown marks and lines of citations belong to no piece. */
export const piecesOf = (draft: string): Piece[] => {
  const all = placedIn(draft)
  const first = all.findIndex(({ text }) => text !== '')
  return all.flatMap(({ block: _, ...piece }, at) => {
    if (piece.text !== '') return [{ ...piece, marks: marksOf(all, at), leads: ledBy(all, at).length > 0 }]
    // Citations before the first text belong to no statement. They become a separate piece, which the check rejects.
    return first < 0 || at < first ? [{ ...piece, text: piece.raw, leads: false }] : []
  })
}
