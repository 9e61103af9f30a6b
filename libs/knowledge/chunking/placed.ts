import type { ParsedDocument } from '@plumbline/contracts'
import { markdownBlocks, textBlocks } from './blocks'
import type { Placed } from './pieces'
import { unstacked } from './stacked'

const normalise = (text: string): string =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .normalize('NFC')

/** The blocks of all parts in one sequence; headings of these levels hold until the next of theirs, over pages too. */
export const placedBlocks = ({ markup, parts }: ParsedDocument, levels: readonly number[]): Placed[] => {
  let above: { level: number; text: string }[] = []
  let path: string[] = []
  return parts.flatMap(({ text, page }, at) => {
    const blocks = markup === 'markdown' ? markdownBlocks(normalise(text), at === 0) : textBlocks(normalise(text))
    return blocks.map((block): Placed => {
      if (block.kind === 'heading' && levels.includes(block.level)) {
        above = [...above.filter(({ level }) => level < block.level), { level: block.level, text: block.text }]
        path = above.map((heading) => heading.text).filter((heading) => heading !== '')
      }
      return { ...block, ...(block.kind === 'table' && { text: unstacked(block.text) }), page, path }
    })
  })
}
