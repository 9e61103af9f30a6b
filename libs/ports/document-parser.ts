import type { Format, PageWords, ParsedDocument } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'

/** A file to parse. `name` and `mediaType` come from the uploader and may be wrong. */
export type SourceFile = { path: string; name: string; mediaType?: string; format?: Format }
export type OnPage = (done: number, of: number) => void

export interface DocumentParser {
  /** Throws `Unfit` if the file cannot be read. */
  parse(file: SourceFile, signal: AbortSignal, onPage?: OnPage): Promise<ParsedDocument>
}

export type DrawnPage = PageWords & { png: Uint8Array }

export interface PageDrawer {
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
