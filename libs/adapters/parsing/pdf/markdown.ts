import { fenced } from '../code/fenced'
import { markdownTable } from '../markdown-table'
import { headingWords, proseLine } from '../prose'
import type { Block } from './page'

const markdownOf = (block: Block): string => {
  switch (block.kind) {
    case 'table':
      return markdownTable(block.rows, block.headerRows)
    case 'list':
      return block.text
    case 'code':
      return fenced(block.text, '')
    case 'text':
      return block.level === undefined
        ? proseLine(block.text)
        : `${'#'.repeat(block.level)} ${headingWords(block.text)}`
  }
}

/** Items of lists that follow each other stand together, other blocks apart. */
export const pageMarkdown = (blocks: readonly Block[]): string =>
  blocks
    .map(
      (block, index) =>
        `${index === 0 ? '' : block.kind === 'list' && blocks[index - 1]?.kind === 'list' ? '\n' : '\n\n'}${markdownOf(block)}`,
    )
    .join('')
