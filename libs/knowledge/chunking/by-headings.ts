import type { Chunking, ParsedDocument } from '@plumbline/contracts'
import { unitsOf, type Unit } from './units'
import { locatedBlocks, markdownOf, type PassageDraft, type LocatedBlock } from './located-blocks'
import { pack } from './split'
import { looseTable, type LooseTable } from './tables'

type Settings = Extract<Chunking, { by: 'headings' }>
type Section = { path: string[]; head: LocatedBlock | null; blocks: LocatedBlock[] }

/** This limit is in characters. A longer table is split, and each part repeats the header rows. */
const longestTable = 12_000

const length = (text: string): number => text.length

const allSections = (blocks: LocatedBlock[], levels: readonly number[]): Section[] => {
  const sections: Section[] = [{ path: [], head: null, blocks: [] }]
  for (const block of blocks) {
    if (block.kind === 'heading' && levels.includes(block.level))
      sections.push({ path: block.path, head: block, blocks: [] })
    else sections.at(-1)?.blocks.push(block)
  }
  return sections
}

const tablesOf = (block: LocatedBlock): LooseTable[] => (block.kind === 'table' ? looseTable(block) : [])

const isIn = (path: string[], outer: string[]): boolean => outer.every((heading, at) => path[at] === heading)

/**
 * A heading without text below it is added to the section before, or else to the next section. It is left out if the
 * next section is below it, because the path of that section contains the heading.
 */
const sectionsOf = (blocks: LocatedBlock[], levels: readonly number[]): Section[] => {
  const kept: Section[] = []
  let bare: Section[] = []
  const settle = (next: Section | null) => {
    const orphans = bare.flatMap(({ path, head, blocks: deeper }) => [
      ...(head && !(next && isIn(next.path, path)) ? [head] : []),
      ...deeper,
    ])
    bare = []
    const home = kept.at(-1) ?? next
    if (home && orphans.length > 0)
      home.blocks = home === next ? [...orphans, ...home.blocks] : [...home.blocks, ...orphans]
  }
  for (const section of allSections(blocks, levels)) {
    if (section.blocks.every(({ kind }) => kind === 'heading')) bare.push(section)
    else {
      settle(section)
      kept.push(section)
    }
  }
  settle(null)
  return kept
}

const split = ({ path, blocks }: Section, max: number): { text: string; parts: Unit[] }[] => {
  const units = unitsOf(blocks, () => path.at(-1) ?? '', { prose: max, table: Math.max(max, longestTable) }, length)
  const runs: Unit[][] = []
  units.forEach((unit, at) => {
    if (at > 0 && unit.block.kind !== 'table' && units[at - 1]?.block.kind !== 'table') runs.at(-1)?.push(unit)
    else runs.push([unit])
  })
  return runs.flatMap((run) => pack(run, max, length))
}

export const byHeadings = (parsed: ParsedDocument, { levels, maxChars }: Settings): PassageDraft[] =>
  sectionsOf(locatedBlocks(parsed, levels), levels).flatMap((section): PassageDraft[] => {
    const { path, blocks } = section
    const opening = blocks[0]?.kind === 'table' ? path.slice(-1) : []
    const whole = [...opening, ...blocks.map(markdownOf)].join('\n\n')
    if (whole.length <= maxChars)
      return [{ text: whole, path, page: blocks[0]?.page, tables: blocks.flatMap(tablesOf) }]
    return split(section, maxChars).map(({ text, parts }) => ({
      text,
      path,
      page: parts[0]?.block.page,
      tables: parts.flatMap(({ tables = [] }) => tables),
    }))
  })
