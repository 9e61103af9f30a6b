import { z } from 'zod'

export const WarningKind = z.enum([
  /** These pages have content, but no text could be extracted. */
  'no-text',
  'unreadable',
  'damaged-text',
  /** The text was already damaged when it was uploaded. */
  'wrong-encoding',
  'ocr',
  /** The words may be in the wrong order. */
  'right-to-left',
])
export type WarningKind = z.infer<typeof WarningKind>

export const DocumentWarning = z.object({
  kind: WarningKind,
  pages: z.array(z.number().int().min(1)).optional(),
  words: z.string(),
})
export type DocumentWarning = z.infer<typeof DocumentWarning>

export const PassageWarning = DocumentWarning.omit({ pages: true })
export type PassageWarning = z.infer<typeof PassageWarning>

/** These warnings concern the passages of all pages, because any answer may lack the text that could not be read. */
const missing: readonly WarningKind[] = ['no-text', 'unreadable']

export const warningsFor = (warnings: readonly DocumentWarning[], page: number | undefined): PassageWarning[] =>
  warnings
    .filter(
      ({ kind, pages }) => page === undefined || pages === undefined || pages.includes(page) || missing.includes(kind),
    )
    .map(({ kind, words }) => ({ kind, words }))
