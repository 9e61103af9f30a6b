import { AppError, type Retry } from '@plumbline/platform'

/**
 * `path` is relative and unique, and has at most 500 characters. `path` contains no `..`, empty parts or control
 * characters.
 */
export type SourceItem = {
  path: string
  version: string
  size?: number
  title?: string
  url?: string
  /** The source's own name for the file, used by `read`. */
  key?: string
}

export type Listed =
  | { kind: 'item'; item: SourceItem }
  /** A file that exists but cannot be imported now. A document imported from this file earlier is kept. */
  | { kind: 'skipped'; path: string; why: string }
  /** Documents missing from an incomplete list are not removed. */
  | { kind: 'partial'; why: string }

type SourceContent = { content: AsyncIterable<Uint8Array>; mediaType?: string }

/** The methods throw `SourceError`, or the signal's reason after an abort. */
export interface DocumentSource {
  /** Throws if some files cannot be listed, because the caller removes the documents of all unlisted files. */
  list(signal: AbortSignal): AsyncIterable<Listed>
  /**
   * Returns the content of a listed file, or null if the file no longer exists. The caller must read the content to
   * its end or call `return` on its iterator.
   */
  read(item: SourceItem, signal: AbortSignal): Promise<SourceContent | null>
  close(): Promise<void>
}

type SourceReason =
  | 'not-allowed'
  | 'not-found'
  | 'no-access'
  | 'refused-address'
  | 'too-large'
  | 'too-slow'
  | 'unreadable'
  | 'unreachable'

/**
 * Thrown if a source cannot be listed or a file cannot be read. `words` is a message that tells the owner of the source
 * what to do. The error code is `source.<reason>`.
 */
export class SourceError extends AppError {
  constructor(
    readonly reason: SourceReason,
    retry: Retry,
    readonly words: string,
    options: { cause?: unknown; notBefore?: number } = {},
  ) {
    super(`source.${reason}`, retry, options)
  }
}
