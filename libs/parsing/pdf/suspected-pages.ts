import type * as Liteparse from '@llamaindex/liteparse'
import type { ParsedPage } from '@llamaindex/liteparse'
import type { Reading } from '../limits'
import { dotsAnInch, recognise, type RecognisedWord } from '../ocr/recognise'
import { isDamaged, isMisdecoded } from '../text-health'
import { sharedBy } from './overprints'
import type { Page, Word } from './page'
import { wordsOfPicture } from './recognised-words'

type Suspicion = 'no-text' | 'damaged-text' | 'wrong-encoding' | 'overprinted'

/** Returns true for a scanned page with little text. Its text layer may contain only a stamp or a page number. */
const hasStampOnly = ({ complexity }: ParsedPage): boolean =>
  (complexity?.fullPageImage ?? false) &&
  (complexity?.reasons ?? []).some((reason) => reason === 'scanned' || reason === 'sparse-text')

/** Returns why the stored text of a page may be wrong. Only the text is checked, not the image. */
export const suspicionOf = (parsed: ParsedPage, { words, overprinted = [], blank }: Page): Suspicion | undefined => {
  if (blank) return undefined
  if (words.length === 0 || hasStampOnly(parsed)) return 'no-text'
  const text = parsed.textItems.map((item) => item.text).join(' ')
  if (isDamaged(text) || parsed.complexity?.isGarbled) return 'damaged-text'
  if (isMisdecoded(text)) return 'wrong-encoding'
  return overprinted.length > 0 ? 'overprinted' : undefined
}

const longWords = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])

const agreement = (words: readonly string[], others: readonly string[]): number => {
  const held = new Set(longWords(others))
  const long = longWords(words)
  return long.length === 0 ? 1 : long.filter((word) => held.has(word)).length / long.length
}

/** If at least this share of the OCR words occurs in the stored text, that text is used, as OCR makes errors too. */
const agrees = 0.8

const textsOf = (words: readonly { text: string }[]): string[] => words.map(({ text }) => text)

const longIn = ({ text }: { text: string }): string[] => longWords([text])

/**
 * Returns true if OCR finds the overprinted words at their positions. Then only their boxes overlap, and the stored
 * text is right.
 */
const areSeen = (words: readonly Word[], seen: readonly RecognisedWord[]): boolean => {
  const long = words.filter((word) => longIn(word).length > 0)
  const isSeen = (word: Word): boolean => {
    const there = new Set(seen.filter((one) => sharedBy(one, word) > 0).flatMap(longIn))
    return longIn(word).every((part) => there.has(part))
  }
  return long.length > 0 && long.filter(isSeen).length >= agrees * long.length
}

/**
 * Returns true if OCR confirms the stored text. It never confirms a wrong encoding, because the page shows the same
 * wrong letters.
 */
const isCleared = (suspicion: Suspicion, { overprinted = [] }: Page, seen: readonly RecognisedWord[]): boolean =>
  suspicion === 'overprinted' ? areSeen(overprinted, seen) : suspicion !== 'wrong-encoding'

/** If the confidence of OCR is lower, the page gets the warning `doubtful`. Clean print reaches 0.95 and more. */
const leastConfidence = 0.9

/** Reads a page with OCR. The OCR words replace the stored text only if it is missing or differs too much from them. */
export const pageFromOcr = async (
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
  const seen = textsOf(recognised.words)
  if (suspicion !== 'no-text' && agreement(seen, textsOf(page.words)) >= agrees)
    return isCleared(suspicion, page, recognised.words) ? page : { ...page, warning: suspicion }
  const { width, height } = recognised
  const warning = recognised.confidence < leastConfidence ? 'doubtful' : 'ocr'
  return { ...page, width, height, words: wordsOfPicture(recognised.words), pictured: false, warning }
}
