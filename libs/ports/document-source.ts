import { AppError, type Retry } from '@plumbline/platform'

/**
 * A file of the source. `path` is unique and relative, has at most 500 characters, and contains no `..`, no empty part
 * and no control character.
 */
export type SourceItem = {
  path: string
  version: string
  size?: number
  title?: string
  url?: string
  /** The name that the source itself uses for the file. `read` needs this name. */
  key?: string
}

export type Listed =
  | { kind: 'item'; item: SourceItem }
  /** A file that exists but cannot be imported now. If an earlier sync has imported the file, its document is kept. */
  | { kind: 'skipped'; path: string; why: string }
  /** The list is incomplete. Documents of files that are not listed are kept. */
  | { kind: 'partial'; why: string }

type SourceContent = { content: AsyncIterable<Uint8Array>; mediaType?: string }

/** A place with files to import. Its methods throw `SourceError`, or the signal's reason after an abort. */
export interface DocumentSource {
  /** Lists all files, or throws. It must omit none, because the caller removes the documents of unlisted files. */
  list(signal: AbortSignal): AsyncIterable<Listed>
  /**
   * Returns null if the file is gone. The caller must read the content to the end or call `return` on the iterator.
   * Otherwise, the connection stays open.
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

/** An error of a source, with the code `source.<reason>`. `words` tells the owner of the source what to do. */
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
