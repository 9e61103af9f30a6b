import { AppError, type Retry } from '@plumbline/platform'

/**
 * A file at a source. `path` is relative and unique in a list. It has no `..`, empty parts or control characters, and
 * at most 500 characters. `version` is any text that changes with the content: a digest, an etag, an object id, or size
 * and time.
 */
export type SourceItem = {
  path: string
  version: string
  size?: number
  title?: string
  url?: string
  /** The source's own name for the file, if it differs from the path. `read` uses it. */
  key?: string
}

export type Listed =
  | { kind: 'item'; item: SourceItem }
  /** A file that exists but cannot be imported now. If an earlier import of the file exists, it stays. */
  | { kind: 'skipped'; path: string; why: string }
  /** The list is incomplete, so documents missing from it are not removed. */
  | { kind: 'partial'; why: string }

type SourceContent = { content: AsyncIterable<Uint8Array>; mediaType?: string }

/**
 * A source of documents to keep in sync with. Its methods throw `SourceError`, or the signal's reason after an abort.
 */
export interface DocumentSource {
  /**
   * Lists all current files. Throws if some of them cannot be listed, because files missing from a complete list are
   * removed.
   */
  list(signal: AbortSignal): AsyncIterable<Listed>
  /**
   * Returns the content of a listed file, or null if the file no longer exists. The caller reads the content to its end
   * or closes it by calling `return`.
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
 * Thrown if a source cannot be listed or a file cannot be read. `words` tell the owner of the source what to do. The
 * error code is `source.<reason>`.
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
