import type { Measure, Placed } from './pieces'
import { written } from './pieces'
import type { Part } from './split'
import { splitCode, splitProse } from './split'
import { splitTable } from './split-table'

/** A part of a passage with the block that it comes from. */
export type Unit = Part & { block: Placed }

/** The most that one unit may be. */
export type Room = { prose: number; table: number }

const named = /^[*_\s]*(?:table|tab\.|exhibit|figure|fig\.)\s*[\dA-Z]/i
/** A short line that is no sentence says what it stands over. */
const isLabel = (text: string): boolean => text.length <= 160 && !/[.!?]$|\n|^(?:[-*+>]|\d+[.)])\s/.test(text.trim())
const isCaption = (block: Placed | undefined): block is Placed =>
  block !== undefined &&
  (block.kind === 'prose' || block.kind === 'heading') &&
  block.text.length <= (named.test(block.text) ? 600 : 300) &&
  (block.kind === 'heading' || named.test(block.text) || isLabel(block.text) || block.text.trimEnd().endsWith(':'))

export const listItem = /^(\s*)(?:[-*+•]|\d{1,3}[.)])\s/
export const introduces = /[:：][*_]*\s*$/
/** Without the line that leads to it, a list may say the opposite. */
const leadsTo = (before: Placed | undefined, list: Placed): boolean =>
  before?.kind === 'prose' && list.kind === 'prose' && introduces.test(before.text) && listItem.test(list.text)

const partsOf = (block: Placed, { prose }: Room, measure: Measure): Part[] =>
  block.kind === 'code'
    ? splitCode(block.text, prose, measure).map((text) => ({ text, glue: '\n\n' }))
    : splitProse(written(block), prose, measure)

/** What blocks are made into passages from: a table with its caption, a heading with what follows it, a list with what leads to it, other blocks cut to size. */
export const unitsOf = (
  blocks: readonly Placed[],
  captionOf: (table: Placed) => string,
  room: Room,
  measure: Measure,
): Unit[] => {
  const units: Unit[] = []
  blocks.forEach((block, at) => {
    const before = blocks[at - 1]
    if (block.kind === 'table') {
      const over = isCaption(before)
      while (over && units.at(-1)?.block === before) units.pop()
      const caption = over ? before.text.trim() : captionOf(block)
      const page = over ? before.page : block.page
      for (const text of splitTable(caption, block.text, room.table, measure))
        units.push({ text, glue: '\n\n', block: { ...block, page } })
      return
    }
    const [first, ...rest] = partsOf(block, room, measure)
    if (!first) return
    const last = units.at(-1)
    const opens =
      before?.kind === 'heading' && block.kind === 'prose' && !(blocks[at + 1]?.kind === 'table' && isCaption(block))
    const joined = last && (opens || leadsTo(before, block)) ? `${last.text}\n\n${first.text}` : null
    if (last && joined !== null && measure(joined) <= room.prose)
      units[units.length - 1] = { ...last, text: joined, block: { ...block, page: last.block.page } }
    else units.push({ ...first, block })
    for (const part of rest) units.push({ ...part, block })
  })
  return units
}
