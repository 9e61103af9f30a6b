import { z } from 'zod'

/** The kinds of possible errors in a parsed document. */
export const WarningKind = z.enum([
  /** The pages have content, but no text could be extracted. */
  'no-text',
  /** The pages could not be opened. */
  'unreadable',
  /** Some letters of the text are missing or wrong. */
  'damaged-text',
  /** The text was already damaged by a wrong encoding before the upload. */
  'wrong-encoding',
  /** The pages were read by OCR, so some letters and digits may be wrong. */
  'ocr',
  /** The text is written from right to left, so words may be in the wrong order. */
  'right-to-left',
])
export type WarningKind = z.infer<typeof WarningKind>

/**
 * A possible error in a parsed document. `words`: what is wrong and what to do. Without `pages`, the warning applies to
 * the whole document.
 */
export const DocumentWarning = z.object({
  kind: WarningKind,
  pages: z.array(z.number().int().min(1)).optional(),
  words: z.string(),
})
export type DocumentWarning = z.infer<typeof DocumentWarning>

/** A warning about a passage. It has no page numbers, because the passage contains its page number. */
export const PassageWarning = DocumentWarning.omit({ pages: true })
export type PassageWarning = z.infer<typeof PassageWarning>

/** Kinds of errors that lose parts of the document. Answers from the other parts may be incomplete. */
const missing: readonly WarningKind[] = ['no-text', 'unreadable']

/** Returns the warnings that apply to a page. Also returns warnings about parts that are missing on other pages. */
export const warningsFor = (warnings: readonly DocumentWarning[], page: number | undefined): PassageWarning[] =>
  warnings
    .filter(
      ({ kind, pages }) => page === undefined || pages === undefined || pages.includes(page) || missing.includes(kind),
    )
    .map(({ kind, words }) => ({ kind, words }))
