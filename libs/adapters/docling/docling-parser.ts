import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '@plumbline/platform'
import type { DocumentParser, SourceFile } from '@plumbline/ports/document-parser'
import { Unfit } from '@plumbline/ports/document-parser'
import { Converted, documentOf, pageBreak, Task } from './answers'
import { call } from './call'
import type { Server } from './call'

type Options = Server & {
  /** For one document, its wait for others included. */
  timeoutMs: number
  /** docling-serve answers a look at once when the task ends; between looks that were answered without an end this passes. */
  pauseMs?: number
}

const formOf = async ({ path, name, mediaType }: SourceFile): Promise<FormData> => {
  const form = new FormData()
  // Whole, not as a file that is read while it is sent: where that one is removed meanwhile, `fetch` ends the process.
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
        `The service that reads scans did not finish this document in ${seconds} s. Split it into smaller documents and bring each of them.`,
      )
    : new AppError('docling.busy', 'later', { cause: new Error(`docling-serve did not begin within ${seconds} s`) })

/** docling-serve: reads scans and pictures with OCR, on a machine that is made for it. */
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
          'The service that reads scans could not read this document. Save it again as a PDF, or bring one that has text.',
          { cause: new Error(`the task is ${task.task_status}`) },
        )
      }
      return documentOf(await call(server, `result/${path}`, Converted, limited))
    } catch (error) {
      signal.throwIfAborted()
      throw late.aborted ? outOfTime(started, Math.round(timeoutMs / 1_000)) : error
    }
  },
})
