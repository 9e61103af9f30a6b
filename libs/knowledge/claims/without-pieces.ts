import type { Piece, Placed } from './pieces'
import { ledBy, placedIn } from './pieces'

type Line = { text: string; end: string; from: number; to: number }

const marksAlone = /^[\s>]*(?:[-*+•]|\d{1,9}[.)]|#{1,6})?[\s*_|]*$/
const frame = /^[\s>]*(?:`{3,}|~{3,}|=+|[\s|:-]*-[\s|:-]*)\s*$/

/** Returns all pieces to remove. A heading or lead-in is also removed if all pieces that it introduces are removed. */
const allGone = (all: Placed[], named: Piece[]): Set<Placed> => {
  const from = new Set(named.map((piece) => piece.from))
  const gone = new Set(all.filter((piece) => from.has(piece.from)))
  all.forEach((piece, at) => {
    const before = all[at - 1]
    if (piece.text === '' && before && gone.has(before)) gone.add(piece)
  })
  for (const [at, piece] of [...all.entries()].reverse()) {
    const led = ledBy(all, at)
    if (led.length > 0 && led.every((each) => gone.has(each))) gone.add(piece)
  }
  return gone
}

/** Returns what remains of a removed piece: nothing, or an empty header row if table rows below it remain. */
const leftOf = (piece: Placed, isWhole: boolean): string =>
  piece.block.kind === 'header' && !isWhole ? piece.raw.replace(/[^|]+/g, ' ').replace(/^ ?$/, '| |') : ''

const cut = ({ text, from }: Line, lost: Placed[], isWhole: (piece: Placed) => boolean): string =>
  lost.reduceRight((left, piece) => {
    const start = Math.max(piece.from - from, 0)
    const rest = left.slice(Math.max(piece.to - from, 0))
    return `${left.slice(0, start)}${leftOf(piece, isWhole(piece))}${start > 0 || piece.from < from ? rest.trimStart() : rest}`
  }, text)

const linesOf = (draft: string): Line[] =>
  Array.from(draft.matchAll(/([^\r\n]*)(\r?\n|\r|$)/g), ({ 1: text = '', 2: end = '', index }) => ({
    text,
    end,
    from: index,
    to: index + text.length,
  }))

const touching = (pieces: Iterable<Placed>, line: Line | undefined): Placed[] =>
  line ? [...pieces].filter((piece) => piece.from < line.to && piece.to > line.from) : []

export const withoutPieces = (draft: string, named: Piece[]): string => {
  const all = placedIn(draft)
  const gone = allGone(all, named)
  const staying = all.filter((piece) => !gone.has(piece))
  const isWhole = ({ block }: Placed): boolean => !staying.some((other) => other.block.group === block.group)
  const isSpent = (piece: Placed): boolean =>
    leftOf(piece, isWhole(piece)) === '' && !staying.some(({ block }) => block === piece.block)
  const kept: Line[] = []
  let dropped = false
  linesOf(draft).forEach((line, at, lines) => {
    const lost = touching(gone, line)
    const beside = lost.length > 0 ? lost : [lines[at - 1], lines[at + 1]].flatMap((near) => touching(gone, near))
    const text = cut(line, lost, isWhole)
    const isFrame = frame.test(text) && beside.some((piece) => piece.block.kind !== 'prose' && isWhole(piece))
    const isLeft = lost.length > 0 && marksAlone.test(text) && lost.every(isSpent)
    const isBlank = text.trim() === '' && (kept.at(-1)?.text ?? '').trim() === ''
    if (isFrame || isLeft || (dropped && isBlank)) dropped = true
    else {
      kept.push({ ...line, text: lost.length > 0 ? text.trimEnd() : text })
      dropped &&= text.trim() === ''
    }
  })
  const left = kept.map(({ text, end }) => text + end).join('')
  return gone.size === 0 ? draft : left.trim()
}
