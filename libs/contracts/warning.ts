import { z } from 'zod'

/** Possible faults of a parsed document. */
export const WarningKind = z.enum([
  /** These pages have content, but no text of it could be read. */
  'no-text',
  /** These pages could not be opened. */
  'unreadable',
  /** Letters of the text are missing or wrong. */
  'damaged-text',
  /** The text was decoded with a wrong encoding before it was uploaded. */
  'wrong-encoding',
  /** Read by OCR, so single letters and digits may be wrong. */
  'ocr',
  /** Lines that run from right to left, whose words may be in another order. */
  'right-to-left',
])
export type WarningKind = z.infer<typeof WarningKind>

/** `words` tell a reader what is wrong and what to do. Without `pages` they apply to the whole document. */
export const DocumentWarning = z.object({
  kind: WarningKind,
  pages: z.array(z.number().int().min(1)).optional(),
  words: z.string(),
})
export type DocumentWarning = z.infer<typeof DocumentWarning>

/** A warning for a passage, whose page is known. */
export const PassageWarning = DocumentWarning.omit({ pages: true })
export type PassageWarning = z.infer<typeof PassageWarning>

/** If a part of the document is missing, answers from the rest may be incomplete. */
const missing: readonly WarningKind[] = ['no-text', 'unreadable']

/** Returns the warnings for readers of a page: faults of the page itself, and parts missing elsewhere. */
export const warningsFor = (warnings: readonly DocumentWarning[], page: number | undefined): PassageWarning[] =>
  warnings
    .filter(
      ({ kind, pages }) => page === undefined || pages === undefined || pages.includes(page) || missing.includes(kind),
    )
    .map(({ kind, words }) => ({ kind, words }))
