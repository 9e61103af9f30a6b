import type * as Liteparse from '@llamaindex/liteparse'
import type { VectorGraphics } from '@llamaindex/liteparse'
import { type DrawnPage, Unfit } from '@plumbline/ports/document-parser'
import type { Reading } from '../limits'
import { hideStructure, ownTitle } from './document-catalog'
import { laidOut } from './lines'
import type { LaidPage, Page, Rule, Rules } from './page'
import { withoutRepeats } from './overprints'
import { pageFromOcr, suspicionOf } from './suspected-pages'
import { turnedRules, turnOf, upright } from './turned-pages'
import { wordsOf } from './words'

/** A filled box counts as a drawn line if it is at most this wide or high, in points. */
const thin = 2.6
const shortest = 4

type Span = { x1: number; y1: number; x2: number; y2: number }

const straight = ({ x1, y1, x2, y2 }: Span): Rules => {
  const wide = Math.abs(x2 - x1)
  const high = Math.abs(y2 - y1)
  if (high <= 1 && wide >= shortest)
    return { across: [{ at: (y1 + y2) / 2, from: Math.min(x1, x2), to: Math.max(x1, x2) }], down: [] }
  if (wide <= 1 && high >= shortest)
    return { across: [], down: [{ at: (x1 + x2) / 2, from: Math.min(y1, y2), to: Math.max(y1, y2) }] }
  return { across: [], down: [] }
}

const invisible = (color?: string): boolean =>
  color !== undefined && (/^00/.test(color) || /^fff[a-f]f[a-f]f[a-f]$/i.test(color))

type Shape = VectorGraphics['shapes'][number]

const thinShape = ({ bbox, fill, fillColor, hasCurve }: Shape): Span[] => {
  if (!fill || hasCurve || invisible(fillColor)) return []
  const { x, y, width, height } = bbox
  if (height <= thin && width > height) return [{ x1: x, x2: x + width, y1: y + height / 2, y2: y + height / 2 }]
  if (width <= thin && height > width) return [{ x1: x + width / 2, x2: x + width / 2, y1: y, y2: y + height }]
  return []
}

export const joinRules = (rules: readonly Rule[]): Rule[] => {
  const sorted = [...rules].sort((a, b) => a.at - b.at || a.from - b.from)
  const joined: Rule[] = []
  for (const rule of sorted) {
    const same = joined.find(
      ({ at, from, to }) => Math.abs(at - rule.at) <= 1.6 && rule.from <= to + 1.6 && rule.to >= from - 1.6,
    )
    if (same) Object.assign(same, { from: Math.min(same.from, rule.from), to: Math.max(same.to, rule.to) })
    else joined.push({ ...rule })
  }
  return joined
}

/** A page with more drawn lines contains a drawing, so all its lines are ignored. */
const most = 3_000

/** Returns the drawn lines of a page. The edges of a shaded area are ignored, because shading is not a border. */
export const rulesOf = (graphics?: VectorGraphics): Rules => {
  const none: Rules = { across: [], down: [] }
  if (!graphics) return none
  const stroked = graphics.lines.filter(({ stroke, strokeColor }) => stroke && !invisible(strokeColor))
  const all = [...stroked, ...graphics.shapes.flatMap(thinShape)].map(straight)
  const rules = {
    across: joinRules(all.flatMap(({ across }) => across)),
    down: joinRules(all.flatMap(({ down }) => down)),
  }
  return rules.across.length + rules.down.length > most ? none : rules
}

const head = new TextDecoder('latin1')

/** Returns true if the end mark is in the last two kilobytes, because PDF readers search only there. */
const hasEnd = (bytes: Uint8Array): boolean => head.decode(bytes.subarray(-2_048)).includes('%%EOF')
const hasStart = (bytes: Uint8Array): boolean => head.decode(bytes.subarray(0, 1_024)).includes('%PDF-')

const unfit = (name: string, bytes: Uint8Array, cause: unknown): Unfit => {
  const said = cause instanceof Error ? cause.message : String(cause ?? '')
  if (/password|encrypt/i.test(said))
    return new Unfit(
      'encrypted',
      `${name} is protected by a password. Save a copy without the password and upload the copy.`,
      { cause },
    )
  if (!hasStart(bytes))
    return new Unfit(
      'unreadable',
      `${name} does not begin like a PDF file. Check that the file is a PDF, and upload it again.`,
      {
        cause,
      },
    )
  if (!hasEnd(bytes))
    return new Unfit(
      'truncated',
      `${name} is truncated: the end of the PDF is missing. Upload the complete file again.`,
      {
        cause,
      },
    )
  return new Unfit(
    'unreadable',
    `${name} is a damaged PDF that cannot be opened. Export or print the document to PDF again and upload the new file.`,
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

const draws = ({ lines, shapes }: VectorGraphics): boolean =>
  lines.some(
    ({ x1, y1, x2, y2, strokeColor }) =>
      !invisible(strokeColor) && Math.min(Math.abs(x2 - x1), Math.abs(y2 - y1)) > thin,
  ) ||
  shapes.some(
    ({ bbox, fillColor, strokeColor }) =>
      !invisible(fillColor ?? strokeColor) && Math.min(bbox.width, bbox.height) > thin,
  )

/** Returns true for an empty page, which needs no OCR. */
const isBlank = ({ textItems, complexity, vectorGraphics }: Liteparse.ParsedPage): boolean =>
  textItems.length === 0 &&
  complexity !== undefined &&
  !complexity.fullPageImage &&
  complexity.imageBlockCount === 0 &&
  vectorGraphics !== undefined &&
  !draws(vectorGraphics)

const pageOf = (loaded: Liteparse.ParsedPage): Page => {
  const turn = turnOf(loaded)
  const page = upright(loaded, turn)
  return {
    number: page.pageNum,
    width: page.width,
    height: page.height,
    ...withoutRepeats(wordsOf(page.textItems)),
    rules: turnedRules(rulesOf(page.vectorGraphics), loaded, turn),
    pictured: page.complexity?.fullPageImage ?? false,
    ...(isBlank(page) && { blank: true }),
  }
}

const readPage = async (parsed: Liteparse.ParsedPage, bytes: Uint8Array, { ocr }: Reading, library: Library) => {
  const page = pageOf(parsed)
  const suspicion = suspicionOf(parsed, page)
  if (!suspicion) return page
  return ocr ? pageFromOcr(page, suspicion, bytes, ocr, library) : { ...page, warning: suspicion }
}

type Library = Pick<typeof Liteparse, 'LiteParse'>
export type Loaded = {
  pages: LaidPage[]
  total: number
  title?: string | undefined
  failed: { page: number; message: string }[]
}

/** Pages are loaded in batches, because loading a page needs much more memory than its extracted words. */
const batchSize = 20

export const loadPages = async (bytes: Uint8Array, reading: Reading): Promise<Loaded> => {
  const { name, onPage } = reading
  // Reject a file that is not a PDF, because the library would run an external converter on it.
  if (!hasStart(bytes)) throw unfit(name, bytes, undefined)
  hideStructure(bytes)
  const library = await import('@llamaindex/liteparse')
  const loaded: Loaded = { pages: [], total: 0, failed: [] }
  try {
    for await (const { result, endPage, totalPages } of new library.LiteParse(settings).parseBatches(bytes, {
      batchSize,
    })) {
      loaded.total = totalPages
      for (const parsed of result.pages) {
        const page = await readPage(parsed, bytes, reading, library)
        loaded.pages.push(laidOut(page))
        if (page.warning) onPage?.(page.number, totalPages)
      }
      loaded.failed.push(...result.pageErrors.map(({ pageNum, message }) => ({ page: pageNum, message })))
      onPage?.(endPage, totalPages)
    }
    loaded.title = ownTitle(bytes)
  } catch (cause) {
    throw cause instanceof Unfit ? cause : unfit(name, bytes, cause)
  }
  return loaded
}

/** The maximum width and height of a drawn page in pixels. Text is legible, and the image fits on a screen. */
const widthInDots = 1_400
const mostDotsAnInch = 150

export const drawPdfPage = async (bytes: Uint8Array, page: number, reading: Reading): Promise<DrawnPage | null> => {
  if (!hasStart(bytes)) throw unfit(reading.name, bytes, undefined)
  const library = await import('@llamaindex/liteparse')
  const open = (more: object) => new library.LiteParse({ ...settings, ...more, targetPages: `${page}` }).parse(bytes)
  try {
    const [parsed] = (await open({})).pages
    if (!parsed) return null
    const dpi = Math.max(
      18,
      Math.min(mostDotsAnInch, Math.round((72 * widthInDots) / Math.max(parsed.width, parsed.height, 1))),
    )
    const [drawn] = (await open({ extractScreenshots: true, dpi })).screenshots
    if (!drawn) return null
    const { width, height } = parsed
    const read = await readPage(parsed, bytes, reading, library)
    // If OCR rotated the page, the positions of its words do not fit the drawn page.
    const recognised = read.warning === 'ocr' || read.warning === 'doubtful'
    const seen = recognised && read.width === width ? read.words : []
    const words = [
      ...parsed.textItems.flatMap(({ words: boxes, ...item }) => boxes ?? [item]),
      ...seen.map(({ right, bottom, ...word }) => ({ ...word, width: right - word.x, height: bottom - word.y })),
    ]
    return {
      png: drawn.imageBuffer,
      width,
      height,
      words: words.map(({ text, x, y, width: wide, height: high }) => ({ text, x, y, width: wide, height: high })),
    }
  } catch (cause) {
    throw cause instanceof Unfit ? cause : unfit(reading.name, bytes, cause)
  }
}
