import { AppError, type Retry } from '@plumbline/platform'

/** `path` is unique, relative, at most 500 characters, without `..`, empty parts or control characters. */
export type SourceItem = {
  path: string
  version: string
  size?: number
  title?: string
  url?: string
  /** The source's internal name of the file. `read` uses this name. */
  key?: string
}

export type Listed =
  | { kind: 'item'; item: SourceItem }
  /** A file that exists but cannot be imported now. An earlier import of this file is kept. */
  | { kind: 'skipped'; path: string; why: string }
  /** The list is incomplete. Documents that it does not list are kept. */
  | { kind: 'partial'; why: string }

type SourceContent = { content: AsyncIterable<Uint8Array>; mediaType?: string }

/** The methods throw `SourceError`, or the signal's reason after an abort. */
export interface DocumentSource {
  /** Throws rather than omit a file, because the caller removes the documents of unlisted files. */
  list(signal: AbortSignal): AsyncIterable<Listed>
  /** Returns null if the file is gone. The caller must read to the end or call `return` on the iterator. */
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

/** `words` tells the owner of the source what to do. The error code is `source.<reason>`. */
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
