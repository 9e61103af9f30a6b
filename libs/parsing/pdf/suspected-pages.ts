import type * as Liteparse from '@llamaindex/liteparse'
import type { ParsedPage } from '@llamaindex/liteparse'
import type { Reading } from '../limits'
import { dotsAnInch, recognise } from '../ocr/recognise'
import { isDamaged, isMisdecoded } from '../text-health'
import type { Page } from './page'
import { wordsOfPicture } from './recognised-words'

type Suspicion = 'no-text' | 'damaged-text' | 'wrong-encoding'

/** On a page that is one picture, a stamp or a page number is not its text. */
const hasStampOnly = ({ complexity }: ParsedPage): boolean =>
  (complexity?.fullPageImage ?? false) &&
  (complexity?.reasons ?? []).some((reason) => reason === 'scanned' || reason === 'sparse-text')

/** What speaks against the text of a page, from the text alone. */
export const suspicionOf = (parsed: ParsedPage, { words }: Page): Suspicion | undefined => {
  if (words.length === 0 || hasStampOnly(parsed)) return 'no-text'
  const text = parsed.textItems.map((item) => item.text).join(' ')
  if (isDamaged(text) || parsed.complexity?.isGarbled) return 'damaged-text'
  return isMisdecoded(text) ? 'wrong-encoding' : undefined
}

const longWords = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])

/** How many of the words that can be seen stand in the text, too. */
const agreement = (text: readonly string[], seen: readonly string[]): number => {
  const held = new Set(longWords(text))
  const words = longWords(seen)
  return words.length === 0 ? 1 : words.filter((word) => held.has(word)).length / words.length
}

/** OCR itself errs: a text that tells four words of five as it does is the better one. */
const agrees = 0.8

/** Draws a suspected page, and takes what OCR reads there where the text says something else. */
export const lookedAt = async (
  page: Page,
  suspicion: Suspicion,
  bytes: Uint8Array,
  ocr: NonNullable<Reading['ocr']>,
  { LiteParse }: Pick<typeof Liteparse, 'LiteParse'>,
): Promise<Page> => {
  if (!ocr.next()) return { ...page, warning: suspicion, late: true }
  const [drawn] = await new LiteParse({ dpi: dotsAnInch(page), quiet: true }).screenshot(bytes, [page.number])
  if (!drawn) return { ...page, warning: suspicion }
  if (drawn.isSolidFill) return { ...page, words: [], blank: true }
  const recognised = await recognise(drawn.imageBuffer, page, ocr)
  if (!recognised) return { ...page, warning: suspicion }
  const texts = page.words.map(({ text }) => text)
  const seen = recognised.words.map(({ text }) => text)
  if (suspicion !== 'no-text' && agreement(texts, seen) >= agrees)
    return suspicion === 'wrong-encoding' ? { ...page, warning: suspicion } : page
  const { width, height } = recognised
  return { ...page, width, height, words: wordsOfPicture(recognised.words), pictured: false, warning: 'ocr' }
}
