import type { TextBlock } from '@plumbline/knowledge/text'
import { sentencesOf, textBlocks } from '@plumbline/knowledge/text'
import type { Table, TableSource } from '@plumbline/knowledge/tables'
import { isMissing, tablesIn } from '@plumbline/knowledge/tables'

/** A sentence, a list item or a table row, with what it leans on: the line before it, the head of its list. */
export type Unit = {
  kind: 'sentence' | 'item' | 'row'
  text: string
  /** What the unit cannot be understood without. */
  lean: string
  /** Units of one list or table share it. */
  group: number
  passageId: string
}

const rowText = (table: Table, row: string[]): string =>
  table.columns
    .flatMap(({ header }, at) =>
      isMissing(row[at] ?? '') ? [] : [header === '' ? (row[at] ?? '') : `${header}: ${row[at] ?? ''}`],
    )
    .join('; ')

/** What stands under one column alone says nothing of it. */
const tells = (table: Table, row: string[]): boolean =>
  table.columns.filter((_, at) => !isMissing(row[at] ?? '')).length > Math.min(1, table.columns.length - 1)

const rowsOf = (source: TableSource, group: number): Unit[] =>
  tablesIn(source).flatMap((table, at) =>
    table.rows
      .filter((row) => tells(table, row))
      .map((row): Unit => ({
        kind: 'row',
        text: rowText(table, row),
        lean: table.context,
        group: group + at,
        passageId: source.id,
      })),
  )

/** Emphasis and links are marks, not words. */
export const plain = (text: string): string =>
  text.replace(/!?\[([^\]]*)\]\(https?:[^)]*\)/g, '$1').replace(/(\*\*|__|`)(.+?)\1/g, '$2')

/** A line of a few words without an end says nothing by itself. */
const isTitle = (text: string): boolean => !/[.!?:;…"”’)]$/.test(text) && text.split(/\s+/).length <= 4

const proseOf = (source: TableSource): Unit[] => {
  const found: Unit[] = []
  let head = source.headingPath.at(-1) ?? ''
  let before: TextBlock | undefined
  let group = 0
  for (const block of textBlocks(source.text)) {
    if (block.kind === 'item' && before?.kind !== 'item') head = before?.text ?? head
    if (block.kind !== 'item' || before?.kind !== 'item') group += 1
    if (block.kind === 'heading') head = block.text
    const kind = block.kind === 'item' ? 'item' : 'sentence'
    if (block.kind === 'prose' || block.kind === 'item')
      sentencesOf(block).forEach((text, at, all) => {
        if (block.kind === 'prose' && isTitle(text)) return
        found.push({ kind, text: plain(text), lean: [head, all[at - 1] ?? ''].join('\n'), group, passageId: source.id })
      })
    before = block
  }
  return found
}

/** Everything a passage says, piece by piece, in order. */
export const unitsOf = (source: TableSource): Unit[] => {
  const prose = proseOf(source)
  return [...prose, ...rowsOf(source, (prose.at(-1)?.group ?? 0) + 1)]
}
