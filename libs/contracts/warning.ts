import { z } from 'zod'

export const WarningKind = z.enum([
  /** The pages have content, but no text could be extracted. */
  'no-text',
  'unreadable',
  'damaged-text',
  /** The text was already damaged before the upload. */
  'wrong-encoding',
  'ocr',
  /** Words may be in the wrong order. */
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

/** These warnings apply to the passages of all pages, because answers may be incomplete without the missing text. */
const missing: readonly WarningKind[] = ['no-text', 'unreadable']

export const warningsFor = (warnings: readonly DocumentWarning[], page: number | undefined): PassageWarning[] =>
  warnings
    .filter(
      ({ kind, pages }) => page === undefined || pages === undefined || pages.includes(page) || missing.includes(kind),
    )
    .map(({ kind, words }) => ({ kind, words }))
