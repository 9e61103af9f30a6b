import { z } from 'zod'

/** What may be wrong with what was read of a document. */
export const WarningKind = z.enum([
  /** Something stands on these pages, and no text of it could be read. */
  'no-text',
  /** These pages could not be opened. */
  'unreadable',
  /** Letters of the text are missing or wrong. */
  'damaged-text',
  /** The text was decoded in another encoding than it was written in before it came. */
  'wrong-encoding',
  /** Read from a picture: single letters and digits may be wrong. */
  'ocr',
  /** Lines that run from right to left: their words may stand in another order. */
  'right-to-left',
])
export type WarningKind = z.infer<typeof WarningKind>

/** `words` tell a reader what is wrong and what to do; without `pages` all of the document is meant. */
export const DocumentWarning = z.object({
  kind: WarningKind,
  pages: z.array(z.number().int().min(1)).optional(),
  words: z.string(),
})
export type DocumentWarning = z.infer<typeof DocumentWarning>

/** A warning as it stands on a passage, whose own page is known. */
export const PassageWarning = DocumentWarning.omit({ pages: true })
export type PassageWarning = z.infer<typeof PassageWarning>

/** Where a part of the document is missing, whatever is said of the rest may be half of it. */
const missing: readonly WarningKind[] = ['no-text', 'unreadable']

/** What someone should know who reads this page of it: what is wrong with the page, and what is missing elsewhere. */
export const warningsFor = (warnings: readonly DocumentWarning[], page: number | undefined): PassageWarning[] =>
  warnings
    .filter(
      ({ kind, pages }) => page === undefined || pages === undefined || pages.includes(page) || missing.includes(kind),
    )
    .map(({ kind, words }) => ({ kind, words }))
