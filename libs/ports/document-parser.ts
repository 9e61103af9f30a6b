import type { Format, PageWords, ParsedDocument } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'

/** A file on this machine. The uploader states `name` and `mediaType`, so both may be wrong. */
export type SourceFile = { path: string; name: string; mediaType?: string; format?: Format }
export type OnPage = (done: number, of: number) => void

export interface DocumentParser {
  /** Parses a whole file. Throws `Unfit` if the file cannot be read. */
  parse(file: SourceFile, signal: AbortSignal, onPage?: OnPage): Promise<ParsedDocument>
}

/** A document page as an image, and the words on the page. */
export type DrawnPage = PageWords & { png: Uint8Array }

export interface PageDrawer {
  /** Renders the page as an image. Returns null if the document has no such page. */
  draw(file: SourceFile, page: number, signal: AbortSignal): Promise<DrawnPage | null>
}

export const unfitReasons = [
  'unsupported',
  'mislabelled',
  'encrypted',
  'truncated',
  'bomb',
  'too-large',
  'too-slow',
  'no-text',
  'unreadable',
  'refused-address',
  'unreachable',
] as const
export type UnfitReason = (typeof unfitReasons)[number]

/** Thrown if a document cannot be indexed. `words` is a message that tells the uploader what to do. */
export class Unfit extends AppError {
  readonly page: number | undefined
  constructor(
    readonly reason: UnfitReason,
    readonly words: string,
    options: { page?: number; cause?: unknown } = {},
  ) {
    super(`document.${reason}`, 'never', options)
    this.page = options.page
  }
}
