import { z } from 'zod'

/** The kinds of possible faults in a parsed document. */
export const WarningKind = z.enum([
  /** The pages have content, but no text could be read from it. */
  'no-text',
  /** The pages could not be opened. */
  'unreadable',
  /** Letters of the text are missing or wrong. */
  'damaged-text',
  /** The text had been decoded with the wrong encoding before the upload. */
  'wrong-encoding',
  /** The pages were read by OCR, so single letters and digits may be wrong. */
  'ocr',
  /** The lines run from right to left, so their words may be in the wrong order. */
  'right-to-left',
])
export type WarningKind = z.infer<typeof WarningKind>

/**
 * A possible fault. `words` say what is wrong and what to do. Without `pages`, the warning applies to the whole
 * document.
 */
export const DocumentWarning = z.object({
  kind: WarningKind,
  pages: z.array(z.number().int().min(1)).optional(),
  words: z.string(),
})
export type DocumentWarning = z.infer<typeof DocumentWarning>

/** A warning without page numbers, because the passage states its page. */
export const PassageWarning = DocumentWarning.omit({ pages: true })
export type PassageWarning = z.infer<typeof PassageWarning>

/** Kinds of faults that lose a part of the document. Answers from the rest may be incomplete. */
const missing: readonly WarningKind[] = ['no-text', 'unreadable']

/** Returns the warnings for readers of a page: faults of that page, and parts that are missing elsewhere. */
export const warningsFor = (warnings: readonly DocumentWarning[], page: number | undefined): PassageWarning[] =>
  warnings
    .filter(
      ({ kind, pages }) => page === undefined || pages === undefined || pages.includes(page) || missing.includes(kind),
    )
    .map(({ kind, words }) => ({ kind, words }))
