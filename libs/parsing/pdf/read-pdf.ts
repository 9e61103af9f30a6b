import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../limits'
import { fencedCode, escapedHeading, markdownTable, escapedLine } from '../write-markdown'
import { withoutHeadersFooters } from './headers-footers'
import { titleOf, withHeadings } from './headings'
import { hyphensOf } from './line-text'
import { laidOut, rowsOf } from './lines'
import { ranges } from '../page-ranges'
import { loadPages, type Loaded } from './load-pages'
import { mainStyle, type Block, type LaidPage } from './page'
import { pageBlocks } from './page-layout'
import { pageWarnings } from './page-warnings'
import { joinTables } from './tables-across-pages'

const markdownOf = (block: Block): string => {
  switch (block.kind) {
    case 'table':
      return markdownTable(block.rows, block.headerRows)
    case 'list':
      return block.text
    case 'code':
      return fencedCode(block.text, '')
    case 'text':
      return block.level === undefined
        ? escapedLine(block.text)
        : `${'#'.repeat(block.level)} ${escapedHeading(block.text)}`
  }
}

const pageMarkdown = (blocks: readonly Block[]): string =>
  blocks
    .map(
      (block, index) =>
        `${index === 0 ? '' : block.kind === 'list' && blocks[index - 1]?.kind === 'list' ? '\n' : '\n\n'}${markdownOf(block)}`,
    )
    .join('')

const textsOf = ({ segments }: LaidPage): string[] =>
  rowsOf(segments).map(({ segments: own }) => own.map(({ text }) => text).join(' '))

/** If most text of a document is monospaced, as in printed reports, a monospaced font does not indicate code. */
const withMono = (pages: readonly LaidPage[]): readonly LaidPage[] => {
  const { mono } = mainStyle(pages.flatMap(({ words }) => words))
  if (!mono) return pages
  return pages.map((page) => laidOut({ ...page, words: page.words.map((word) => ({ ...word, mono: false })) }))
}

const nothingIn = ({ name, ocr }: Reading, { total, failed, pages }: Loaded): Unfit => {
  const [first] = failed
  const of = (pages: string): string => (total === 1 ? 'its only page' : pages)
  if (total === 0)
    return new Unfit(
      'unreadable',
      `${name} is a PDF without pages. Export or print the document to PDF again and upload the new file.`,
    )
  if (first && failed.length === total)
    return new Unfit(
      'unreadable',
      `${name} is damaged: ${of(ranges(failed.map(({ page }) => page)))} cannot be opened. Export or print the document to PDF again and upload the new file.`,
      { page: first.page, cause: new Error(first.message) },
    )
  return new Unfit(
    'no-text',
    pages.every(({ blank }) => blank)
      ? `${name} has nothing on ${of(`pages 1–${String(total)}`)}. Check that this is the right file.`
      : `${name} has no text on ${of(`pages 1–${String(total)}`)}, only pictures${ocr ? ' that OCR could not read. If the pages show writing, scan them again, sharper and upright, or' : '. Set DOCLING_URL to the address of a docling-serve server, which reads pages with OCR, or'} upload the text of the document.`,
  )
}

export const readPdf = async (bytes: Uint8Array, reading: Reading): Promise<ParsedDocument> => {
  const loaded = await loadPages(bytes, reading)
  const pages = withoutHeadersFooters(withMono(loaded.pages))
  if (pages.every(({ words }) => words.length === 0)) throw nothingIn(reading, loaded)
  const keeps = hyphensOf(pages.flatMap(textsOf))
  const read = pages.map((page) => pageBlocks(page, keeps))
  const blocks = withHeadings(
    joinTables(
      read,
      pages.map(({ height }) => height),
    ),
  )
  const named = loaded.title ?? titleOf(blocks)?.text
  const warnings = pageWarnings(
    pages,
    loaded.failed.map(({ page }) => page),
  )
  return {
    ...(named !== undefined && { title: named }),
    markup: 'markdown',
    parts: pages.map(({ number }, index) => ({ page: number, text: pageMarkdown(blocks[index] ?? []) })),
    pages: loaded.total,
    ...(warnings.length > 0 && { warnings }),
  }
}
