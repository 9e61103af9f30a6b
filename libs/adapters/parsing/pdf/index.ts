import type { ParsedDocument } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../reading'
import { withoutFurniture } from './furniture'
import { titleOf, withHeadings } from './headings'
import { pageBlocks } from './layout'
import { loadPages } from './load'
import { pageMarkdown } from './markdown'
import type { Page } from './page'
import { mainStyle } from './page'
import { ranges } from './ranges'
import { rowsOf } from './rows'
import { segmentsOf } from './segments'
import { joinTables } from './span-pages'
import { hyphensOf } from './text'

const textsOf = ({ words }: Page): string[] => rowsOf(segmentsOf(words)).map(({ segments }) => segments.map(({ text }) => text).join(' '))

/** Where all text is monospaced, as in a printed report, that tells nothing of code. */
const withMono = (pages: readonly Page[]): Page[] => {
  const { mono } = mainStyle(pages.flatMap(({ words }) => words))
  return pages.map((page) => (mono ? { ...page, words: page.words.map((word) => ({ ...word, mono: false })) } : page))
}

const noText = (name: string, total: number): Unfit =>
  new Unfit(
    'no-text',
    `${name} has no text on ${total === 1 ? 'its only page' : `pages 1–${String(total)}`}: it is a scan. Set DOCLING_URL to a docling-serve that reads it with OCR, or send a PDF with text.`,
  )

/** Reads a PDF from where its text stands on the pages. */
export const readPdf = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<ParsedDocument> => {
  const { pages: loaded, total, title, failed } = await loadPages(bytes, name)
  const empty = loaded.filter(({ words }) => words.length === 0).map(({ number }) => number)
  if (empty.length === loaded.length) throw noText(name, total)
  const pages = withoutFurniture(withMono(loaded))
  const keeps = hyphensOf(pages.flatMap(textsOf))
  const read = pages.map((page, index) => {
    const blocks = pageBlocks(page, keeps)
    onPage?.(index + 1, total)
    return blocks
  })
  const blocks = withHeadings(joinTables(read, pages.map(({ height }) => height)))
  const named = title ?? titleOf(blocks)?.text
  const notes = [
    ...(empty.length > 0 ? [`no text on ${ranges(empty)}`] : []),
    ...failed.map(({ page, message }) => `page ${String(page)} could not be read: ${message}`),
  ]
  return {
    ...(named !== undefined && { title: named }),
    markup: 'markdown',
    parts: pages.map(({ number }, index) => ({ page: number, text: pageMarkdown(blocks[index] ?? []) })),
    pages: total,
    ...(notes.length > 0 && { notes }),
  }
}
