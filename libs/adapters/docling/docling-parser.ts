import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { ParsedDocument, ParsedPart } from '@plumbline/contracts'
import { withTables } from '@plumbline/knowledge/chunking/tables'
import { Unfit, type DocumentParser, type SourceFile } from '@plumbline/ports/document-parser'
import { z } from 'zod'
import { AppError } from '@plumbline/platform'
import { call, type Server } from './docling-client'

const Task = z.object({ task_id: z.string(), task_status: z.string(), task_position: z.number().nullish() })
type Task = z.infer<typeof Task>

const PageItem = z.object({ prov: z.array(z.object({ page_no: z.number().int().min(1) })).default([]) })

const Converted = z.object({
  status: z.string(),
  errors: z.array(z.object({ error_message: z.string().optional() })).default([]),
  document: z.object({
    md_content: z.string().nullish(),
    json_content: z
      .object({
        pages: z.record(z.string(), z.unknown()).default({}),
        texts: z.array(PageItem).default([]),
        tables: z.array(PageItem).default([]),
        pictures: z.array(PageItem).default([]),
      })
      .nullish(),
  }),
})
type Converted = z.infer<typeof Converted>

/** docling-serve inserts this marker between pages. The marker is unlikely to occur in the text of a document. */
const pageBreak = '<!-- plumbline: next page -->'

/**
 * Returns the page number of each part of the text, or undefined if the page is not known. Counting the page markers is
 * not enough, because docling-serve writes no marker for an empty page.
 */
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

const errorText = ({ errors }: Converted): string =>
  errors
    .map(({ error_message }) => error_message ?? '')
    .filter((text) => text !== '')
    .join('; ')
    .slice(0, 300)

const documentOf = (converted: Converted): ParsedDocument => {
  const { status, document } = converted
  if (status !== 'success' && status !== 'partial_success')
    throw new Unfit(
      'unreadable',
      `The OCR service could not read this document${errorText(converted) && `: ${errorText(converted)}`}. Save it again as a PDF, or upload a PDF that contains text.`,
    )
  const texts = (document.md_content ?? '').split(pageBreak).map((text) => text.replaceAll('<!-- image -->', '').trim())
  if (texts.every((text) => text === ''))
    throw new Unfit(
      'no-text',
      'This scan contains no readable text. If the pages show writing, scan them again, sharper and upright.',
    )
  const pages = pagesOf(document.json_content, texts.length)
  const parts = texts.map((text, at): ParsedPart => ({ ...(pages[at] !== undefined && { page: pages[at] }), text }))
  const count = Object.keys(document.json_content?.pages ?? {}).length || texts.length
  const notes = [
    'read by docling',
    ...(status === 'partial_success' ? [`read in part${errorText(converted) && `: ${errorText(converted)}`}`] : []),
  ]
  return withTables({ markup: 'markdown', parts: parts.filter(({ text }) => text !== ''), pages: count, notes })
}

type Options = Server & {
  /** The time limit for one document. It includes the time that the document waits for other documents. */
  timeoutMs: number
  /** The pause between two status requests. Each status request also waits up to 5 s for the task to end. */
  pauseMs?: number
}

const formOf = async ({ path, name, mediaType }: SourceFile): Promise<FormData> => {
  const form = new FormData()
  // The file is read into memory, because Node would crash if the file were removed while `fetch` streams it.
  form.append('files', new Blob([await readFile(path)], { type: mediaType ?? 'application/octet-stream' }), name)
  const options = {
    do_ocr: 'true',
    table_mode: 'accurate',
    image_export_mode: 'placeholder',
    include_images: 'false',
    md_page_break_placeholder: pageBreak,
    abort_on_error: 'false',
  }
  for (const [key, value] of Object.entries(options)) form.append(key, value)
  for (const format of ['md', 'json']) form.append('to_formats', format)
  return form
}

const outOfTime = (started: boolean, seconds: number): AppError =>
  started
    ? new Unfit(
        'too-slow',
        `The OCR service did not finish this document in ${seconds} s. Split it into smaller documents and upload each.`,
      )
    : new AppError('docling.busy', 'later', {
        cause: new Error(`docling-serve did not begin to read the document within ${seconds} s`),
      })

export const openDocling = ({ timeoutMs, pauseMs = 500, ...server }: Options): DocumentParser => ({
  parse: async (file, signal) => {
    const late = AbortSignal.timeout(timeoutMs)
    const limited = AbortSignal.any([signal, late])
    let started = false
    try {
      let task = await call(server, 'convert/file/async', Task, limited, await formOf(file))
      const path = encodeURIComponent(task.task_id)
      while (task.task_status === 'pending' || task.task_status === 'started') {
        started = task.task_status === 'started'
        await pause(pauseMs, undefined, { signal: limited })
        task = await call(server, `status/poll/${path}?wait=5`, Task, limited)
      }
      if (task.task_status !== 'success' && task.task_status !== 'partial_success') {
        throw new Unfit(
          'unreadable',
          'The OCR service could not read this document. Save it again as a PDF, or upload a PDF that contains text.',
          { cause: new Error(`the status of the task is ${task.task_status}`) },
        )
      }
      return documentOf(await call(server, `result/${path}`, Converted, limited))
    } catch (error) {
      signal.throwIfAborted()
      throw late.aborted ? outOfTime(started, Math.round(timeoutMs / 1_000)) : error
    }
  },
})
