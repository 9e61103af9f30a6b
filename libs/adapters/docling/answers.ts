import type { ParsedDocument, ParsedPart } from '@plumbline/contracts'
import { Unfit } from '@plumbline/ports/document-parser'
import { z } from 'zod'

export const Task = z.object({ task_id: z.string(), task_status: z.string(), task_position: z.number().nullish() })
export type Task = z.infer<typeof Task>

const Placed = z.object({ prov: z.array(z.object({ page_no: z.number().int().min(1) })).default([]) })

/** Of the layout, where things stand; of the text, all. */
export const Converted = z.object({
  status: z.string(),
  errors: z.array(z.object({ error_message: z.string().optional() })).default([]),
  document: z.object({
    md_content: z.string().nullish(),
    json_content: z
      .object({
        pages: z.record(z.string(), z.unknown()).default({}),
        texts: z.array(Placed).default([]),
        tables: z.array(Placed).default([]),
        pictures: z.array(Placed).default([]),
      })
      .nullish(),
  }),
})
export type Converted = z.infer<typeof Converted>

/** Put between pages by docling-serve; no document says this of itself. */
export const pageBreak = '<!-- plumbline: next page -->'

/** Where a page has nothing on it there is no break for it: the pages that the layout names say which ones the parts are of. */
const pagesOf = (layout: Converted['document']['json_content'], parts: number): (number | undefined)[] => {
  const named = [
    ...new Set(
      [layout?.texts, layout?.tables, layout?.pictures].flatMap((all = []) =>
        all.flatMap(({ prov }) => prov.map(({ page_no }) => page_no)),
      ),
    ),
  ].toSorted((a, b) => a - b)
  if (named.length === parts) return named
  const sure = layout === null || layout === undefined || Object.keys(layout.pages).length === parts
  return Array.from({ length: parts }, (_, at) => (sure ? at + 1 : undefined))
}

const said = ({ errors }: Converted): string =>
  errors
    .map(({ error_message }) => error_message ?? '')
    .filter((text) => text !== '')
    .join('; ')
    .slice(0, 300)

/** The document that docling-serve made of a file. */
export const documentOf = (converted: Converted): ParsedDocument => {
  const { status, document } = converted
  if (status !== 'success' && status !== 'partial_success')
    throw new Unfit(
      'unreadable',
      `The service that reads scans could not read this document${said(converted) && `: ${said(converted)}`}. Save it again as a PDF, or bring one that has text.`,
    )
  const texts = (document.md_content ?? '').split(pageBreak).map((text) => text.replaceAll('<!-- image -->', '').trim())
  if (texts.every((text) => text === ''))
    throw new Unfit(
      'no-text',
      'No text was found in this scan. If there is writing in it, scan it again, sharper and upright.',
    )
  const pages = pagesOf(document.json_content, texts.length)
  const parts = texts.map((text, at): ParsedPart => ({ ...(pages[at] !== undefined && { page: pages[at] }), text }))
  const count = Object.keys(document.json_content?.pages ?? {}).length || texts.length
  const notes = [
    'read by docling',
    ...(status === 'partial_success' ? [`read in part${said(converted) && `: ${said(converted)}`}`] : []),
  ]
  return { markup: 'markdown', parts: parts.filter(({ text }) => text !== ''), pages: count, notes }
}
