import type { ParsedPage, ParseResult } from '@llamaindex/liteparse'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Page } from './page'
import { rulesOf } from './rules'
import { wordsOf } from './words'

const head = new TextDecoder('latin1')

/** A PDF ends with a trailer and its mark; readers look for it in the last kilobyte or so. */
const hasEnd = (bytes: Uint8Array): boolean => head.decode(bytes.subarray(-2_048)).includes('%%EOF')
const hasStart = (bytes: Uint8Array): boolean => head.decode(bytes.subarray(0, 1_024)).includes('%PDF-')

/** Why the library gave up, in words for whoever brought the file. */
const unfit = (name: string, bytes: Uint8Array, cause: unknown): Unfit => {
  const said = cause instanceof Error ? cause.message : String(cause ?? '')
  if (/password|encrypt/i.test(said))
    return new Unfit('encrypted', `${name} is protected by a password. Save a copy without the password and send that.`, { cause })
  if (!hasStart(bytes))
    return new Unfit('unreadable', `${name} does not begin as a PDF does. Check that it is a PDF and send it again.`, { cause })
  if (!hasEnd(bytes))
    return new Unfit('truncated', `${name} is cut off: the end of the PDF is missing. Send the whole file again.`, { cause })
  return new Unfit('unreadable', `${name} is a damaged PDF that cannot be opened. Export or print it to PDF anew and send that.`, { cause })
}

const settings = {
  ocrEnabled: false,
  keepHeadersFooters: true,
  quiet: true,
  emitWordBoxes: true,
  extractTextMetadata: true,
  extractVectorGraphics: true,
  extractDocumentMetadata: true,
  preserveVerySmallText: true,
  continueOnPageError: true,
} as const

const pageOf = (page: ParsedPage): Page => ({
  number: page.pageNum,
  width: page.width,
  height: page.height,
  words: wordsOf(page.textItems),
  rules: rulesOf(page.vectorGraphics),
})

export type Loaded = { pages: Page[]; total: number; title?: string; failed: { page: number; message: string }[] }

const titleIn = (xmp = ''): string | undefined => {
  const [, title] = /<dc:title>[\s\S]*?<rdf:li[^>]*>([^<]*)</.exec(xmp) ?? []
  return title?.trim() || undefined
}

const loaded = ({ pages, totalPages, pageErrors, docMeta }: ParseResult): Loaded => {
  const title = titleIn(docMeta?.xmp)
  return {
    pages: pages.map(pageOf),
    total: totalPages,
    failed: pageErrors.map(({ pageNum, message }) => ({ page: pageNum, message })),
    ...(title !== undefined && { title }),
  }
}

/** The words and the drawn lines of every page. */
export const loadPages = async (bytes: Uint8Array, name: string): Promise<Loaded> => {
  // The library would hand a file of another format to converters; only PDFs are for it.
  if (!hasStart(bytes)) throw unfit(name, bytes, undefined)
  const { LiteParse } = await import('@llamaindex/liteparse')
  try {
    return loaded(await new LiteParse({ ...settings, maxPages: 100_000 }).parse(bytes))
  } catch (cause) {
    throw unfit(name, bytes, cause)
  }
}
