import type { Format, PageWords, ParsedDocument } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'

/** A file on this machine. Its name and media type are what whoever brought it said of it. */
export type SourceFile = { path: string; name: string; mediaType?: string; format?: Format }
export type OnPage = (done: number, of: number) => void

export interface DocumentParser {
  /** Reads a file whole; what cannot be read is refused with `Unfit`. */
  parse(file: SourceFile, signal: AbortSignal, onPage?: OnPage): Promise<ParsedDocument>
}

/** A page of a document, drawn as people see it. */
export type DrawnPage = PageWords & { png: Uint8Array }

export interface PageDrawer {
  /** Null where the document has no such page. */
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

/** Why a document cannot be indexed: `words` tell whoever brought it what to do. */
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
