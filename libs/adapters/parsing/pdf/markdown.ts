import { markdownTable } from '../markdown-table'
import type { Block } from './page'

/** Text at a line's start that Markdown would take for its own. */
const plain = (text: string): string => text.replace(/^(#{1,6}\s|>|\||```)/, '\\$1')

const markdownOf = (block: Block): string => {
  switch (block.kind) {
    case 'table':
      return markdownTable(block.rows, block.headerRows)
    case 'list':
      return block.text
    case 'code':
      return `\`\`\`\n${block.text}\n\`\`\``
    case 'text':
      return block.level === undefined ? plain(block.text) : `${'#'.repeat(block.level)} ${block.text}`
  }
}

/** Items of lists that follow each other stand together, other blocks apart. */
export const pageMarkdown = (blocks: readonly Block[]): string =>
  blocks
    .map((block, index) => `${index === 0 ? '' : block.kind === 'list' && blocks[index - 1]?.kind === 'list' ? '\n' : '\n\n'}${markdownOf(block)}`)
    .join('')
