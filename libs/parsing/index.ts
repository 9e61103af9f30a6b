import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ParsedDocument } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import {
  type DocumentParser,
  type DrawnPage,
  type OnPage,
  type PageDrawer,
  type SourceFile,
  Unfit,
} from '@plumbline/ports/document-parser'
import { openProcessPool } from './child/process-pool'
import { defaultLimits, type Limits } from './limits'
import { unpackLanguages } from './ocr/language-data'
import type { OcrData } from './ocr/recognise'
import { readInProcess } from './read-in-process'

export { unpackLanguages } from './ocr/language-data'
export { OcrEnv } from './ocr/ocr.env'

type Options = {
  /** An external parser, which reads scans and images better than the built-in OCR. */
  docling?: DocumentParser
  /** The built-in OCR, which reads scans and images if `docling` is not set or fails. */
  ocr?: OcrData
  limits?: Partial<Limits>
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`

const sizeOf = async ({ path }: SourceFile, { fileBytes }: Limits): Promise<number> => {
  const { size } = await stat(path).catch((cause: unknown) => {
    throw new AppError('parser.file', 'later', { cause })
  })
  if (size === 0) throw new Unfit('no-text', 'This file is empty. Upload a file with content.')
  if (size > fileBytes)
    throw new Unfit(
      'too-large',
      `This file is ${megabytes(size)}, more than the limit of ${megabytes(fileBytes)}. Split it into smaller files and upload each of them.`,
    )
  return size
}

/** Returns true if pages have no text or damaged text. Empty slides do not count, because many are empty on purpose. */
const lacksPages = ({ warnings = [] }: ParsedDocument): boolean =>
  warnings.some(({ kind, pages }) => pages !== undefined && (kind === 'no-text' || kind === 'damaged-text'))

const insteadOf =
  <T>(covers: (error: Unfit) => boolean, instead: T) =>
  (error: unknown): T => {
    if (error instanceof Unfit && covers(error)) return instead
    throw error
  }

/**
 * Reads files in a separate process, so that no file can crash or block this one. Only short plain texts are read here.
 */
export const openParser = ({ docling, ocr, limits: own = {} }: Options = {}): DocumentParser &
  PageDrawer & {
    close(): Promise<void>
  } => {
  const limits = { ...defaultLimits, ...own }
  const pool = openProcessPool(limits)
  let closed = false
  const draw = async (file: SourceFile, page: number, signal: AbortSignal): Promise<DrawnPage | null> => {
    const bytes = await sizeOf(file, limits)
    return pool.draw({ file, bytes, signal, ...(ocr && { ocr }) }, page)
  }
  const parse = async (file: SourceFile, signal: AbortSignal, onPage?: OnPage): Promise<ParsedDocument> => {
    const bytes = await sizeOf(file, limits)
    if (closed) throw new AppError('parser.closed', 'later')
    signal.throwIfAborted()
    const short = await readInProcess(file, bytes, limits)
    if (short) return short
    const job = { file, bytes, signal, ...(onPage && { onPage }) }
    const readHere = (): Promise<ParsedDocument> => pool.read({ ...job, ...(ocr && { ocr }) })
    if (!docling) return readHere()
    const read = await pool.read(job).catch(insteadOf(({ reason }) => reason === 'no-text', undefined))
    if (read && !lacksPages(read)) return read
    const scanned = docling.parse(file, signal, onPage)
    // If docling fails, return the result of OCR. Without OCR, return the text that was read before, because a partial
    // result is better than an error.
    if (ocr) return scanned.catch(insteadOf(() => true, undefined)).then((document) => document ?? readHere())
    return read ? scanned.catch(insteadOf(() => true, read)) : scanned
  }
  const close = async (): Promise<void> => {
    closed = true
    await pool.close()
  }
  return { parse, draw, close }
}

export const openPageDrawer = (
  dataDir: string,
  languages: readonly string[],
): PageDrawer & { close(): Promise<void> } => {
  let opened: Promise<ReturnType<typeof openParser>> | undefined
  const open = async () =>
    openParser({ ocr: await unpackLanguages(join(dataDir, 'ocr'), languages), limits: { atOnce: 1 } })
  return {
    draw: async (...asked) => (await (opened ??= open())).draw(...asked),
    close: async () => (await opened)?.close(),
  }
}
