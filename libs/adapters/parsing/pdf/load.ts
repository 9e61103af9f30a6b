import type * as Liteparse from '@llamaindex/liteparse'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../reading'
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
    return new Unfit(
      'encrypted',
      `${name} is protected by a password. Save a copy without the password and send that.`,
      { cause },
    )
  if (!hasStart(bytes))
    return new Unfit('unreadable', `${name} does not begin as a PDF does. Check that it is a PDF and send it again.`, {
      cause,
    })
  if (!hasEnd(bytes))
    return new Unfit('truncated', `${name} is cut off: the end of the PDF is missing. Send the whole file again.`, {
      cause,
    })
  return new Unfit(
    'unreadable',
    `${name} is a damaged PDF that cannot be opened. Export or print it to PDF anew and send that.`,
    { cause },
  )
}

const settings = {
  ocrEnabled: false,
  keepHeadersFooters: true,
  quiet: true,
  emitWordBoxes: true,
  extractTextMetadata: true,
  extractVectorGraphics: true,
  includeComplexity: true,
  preserveVerySmallText: true,
  continueOnPageError: true,
  maxPages: 100_000,
} as const

const pageOf = (page: Liteparse.ParsedPage): Page => ({
  number: page.pageNum,
  width: page.width,
  height: page.height,
  words: wordsOf(page.textItems),
  rules: rulesOf(page.vectorGraphics),
  pictured: page.complexity?.fullPageImage ?? false,
})

type Library = Pick<typeof Liteparse, 'LiteParse'>
export type Loaded = {
  pages: Page[]
  total: number
  title?: string | undefined
  failed: { page: number; message: string }[]
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

/** The title that the file gives itself. Asked for once: the library goes through the whole file to tell it. */
const titleIn = async (bytes: Uint8Array, { LiteParse }: Library): Promise<string | undefined> => {
  const { docMeta } = await new LiteParse({ ...settings, targetPages: '1', extractDocumentMetadata: true }).parse(bytes)
  const [, title] = /<dc:title>[\s\S]*?<rdf:li[^>]*>([^<]*)</.exec(docMeta?.xmp ?? '') ?? []
  return title === undefined
    ? undefined
    : title
        .replace(/&(?:amp|lt|gt|quot|apos);/g, (name) => entities[name] ?? name)
        .replace(/\s+/g, ' ')
        .trim() || undefined
}

/** What the library tells of a page is far more than its words: so many pages are held at once in that form. */
const batchSize = 20

/** The words and the drawn lines of every page. */
export const loadPages = async (bytes: Uint8Array, { name, onPage }: Reading): Promise<Loaded> => {
  // The library would hand a file of another format to converters; only PDFs are for it.
  if (!hasStart(bytes)) throw unfit(name, bytes, undefined)
  const library = await import('@llamaindex/liteparse')
  const loaded: Loaded = { pages: [], total: 0, failed: [] }
  try {
    for await (const { result, endPage, totalPages } of new library.LiteParse(settings).parseBatches(bytes, {
      batchSize,
    })) {
      loaded.total = totalPages
      loaded.pages.push(...result.pages.map(pageOf))
      loaded.failed.push(...result.pageErrors.map(({ pageNum, message }) => ({ page: pageNum, message })))
      onPage?.(endPage, totalPages)
    }
    loaded.title = await titleIn(bytes, library)
  } catch (cause) {
    throw cause instanceof Unfit ? cause : unfit(name, bytes, cause)
  }
  return loaded
}
