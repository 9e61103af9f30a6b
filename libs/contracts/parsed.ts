import { z } from 'zod'

/** What a document's text is written in once it has been read. */
export const Markup = z.enum(['markdown', 'text'])
export type Markup = z.infer<typeof Markup>

/** A page, a slide, a sheet, or the whole of a document that has none of these. */
export const ParsedPart = z.object({ page: z.number().int().min(1).optional(), text: z.string() })
export type ParsedPart = z.infer<typeof ParsedPart>

/** A document as it was read: its text in reading order, tables as Markdown tables. A table over several pages stands whole where it begins. */
export const ParsedDocument = z.object({
  /** As the document names itself. */
  title: z.string().optional(),
  markup: Markup,
  parts: z.array(ParsedPart),
  pages: z.number().int().min(0).optional(),
  /** What a reader should know of how it was read, as pages without text. */
  notes: z.array(z.string()).optional(),
})
export type ParsedDocument = z.infer<typeof ParsedDocument>
