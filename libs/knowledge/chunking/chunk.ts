import type { Format, Passage } from '@plumbline/contracts'
import type { Block } from './blocks'
import { markdownBlocks, textBlocks } from './blocks'
import { contentId } from './content-id'
import { splitProse, splitTable } from './split'

export type ChunkOptions = {
  /** Heading levels that start a new passage; deeper ones stay in the text. */
  headingLevels: readonly number[]
  maxChars: number
  /** Tables are kept whole up to here; longer ones repeat their header rows. */
  maxTableChars: number
}
const chunkDefaults: ChunkOptions = { headingLevels: [1, 2, 3], maxChars: 1_200, maxTableChars: 12_000 }

type Source = { id: string; collection: string; title: string; text: string; format: Format; url?: string }
type Section = { headingPath: string[]; blocks: Block[] }

const sectionsOf = (blocks: Block[], levels: readonly number[]): Section[] => {
  const sections: Section[] = [{ headingPath: [], blocks: [] }]
  let path: { level: number; text: string }[] = []
  for (const block of blocks) {
    if (block.kind === 'heading' && levels.includes(block.level)) {
      path = [...path.filter(({ level }) => level < block.level), { level: block.level, text: block.text }]
      sections.push({ headingPath: path.map(({ text }) => text).filter((text) => text !== ''), blocks: [] })
    } else sections.at(-1)?.blocks.push(block)
  }
  return sections.filter(({ blocks: inside }) => inside.some((block) => block.kind !== 'heading'))
}

const named = /^[*_\s]*(?:table|tab\.|exhibit|figure|fig\.)\s*[\dA-Z]/i
const isCaption = (block: Block | undefined): block is Block =>
  block !== undefined && block.kind !== 'table' && block.text.length <= 300 && (block.kind === 'heading' || named.test(block.text) || block.text.trimEnd().endsWith(':'))

const written = (block: Block): string => (block.kind === 'heading' ? block.raw : block.text)

/** A table goes out alone, with the caption that stands over it or else under its section's heading. */
const split = ({ headingPath, blocks }: Section, options: ChunkOptions): string[] => {
  const pieces: string[] = []
  let prose: string[] = []
  const flush = () => {
    if (prose.length > 0) pieces.push(...splitProse(prose, options.maxChars))
    prose = []
  }
  blocks.forEach((block, at) => {
    if (block.kind !== 'table') {
      prose.push(written(block))
      return
    }
    const before = blocks[at - 1]
    const over = isCaption(before)
    if (over) prose.pop()
    flush()
    pieces.push(...splitTable(over ? before.text.trim() : (headingPath.at(-1) ?? ''), block.text, options.maxTableChars))
  })
  flush()
  return pieces
}

const passagesOf = (section: Section, options: ChunkOptions): string[] => {
  const opensWithTable = section.blocks[0]?.kind === 'table'
  const whole = [...(opensWithTable ? section.headingPath.slice(-1) : []), ...section.blocks.map(written)].join('\n\n')
  return whole.length <= options.maxChars ? [whole] : split(section, options)
}

const normalise = (text: string): string => text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n').normalize('NFC')

/** Cuts a document into passages. The same document gives the same passages with the same ids. */
export const chunk = (source: Source, options: Partial<ChunkOptions> = {}): Passage[] => {
  const settings = { ...chunkDefaults, ...options }
  const text = normalise(source.text)
  const sections = source.format === 'markdown' ? sectionsOf(markdownBlocks(text), settings.headingLevels) : [{ headingPath: [], blocks: textBlocks(text) }]
  const seen = new Map<string, number>()
  return sections
    .flatMap((section) => passagesOf(section, settings).map((piece) => ({ headingPath: section.headingPath, text: piece.trim() })))
    .filter((piece) => piece.text !== '')
    .map((piece, position) => {
      const content = JSON.stringify([source.id, piece.headingPath, piece.text])
      const repeat = seen.get(content) ?? 0
      seen.set(content, repeat + 1)
      return {
        id: `p${contentId(repeat === 0 ? content : `${content}#${repeat}`)}`,
        documentId: source.id,
        collection: source.collection,
        title: source.title,
        text: piece.text,
        headingPath: piece.headingPath,
        position,
        ...(source.url === undefined ? {} : { url: source.url }),
      }
    })
}
