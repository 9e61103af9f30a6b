import { AppError, type Retry } from '@plumbline/platform'

/**
 * A file at a source. `path` is relative, without `..`, empty parts and control characters, 500 characters at most, and no two items
 * of a list have the same. `version` is any text that changes when the content does: a digest, an etag, an object id, size and time.
 */
export type SourceItem = {
  path: string
  version: string
  size?: number
  title?: string
  url?: string
  /** What the source calls it, where that is not its path; `read` needs it. */
  key?: string
}

export type Listed =
  | { kind: 'item'; item: SourceItem }
  /** A file that is there and cannot be brought. What was brought of it before stays. */
  | { kind: 'skipped'; path: string; why: string }
  /** There is more than is listed, so what this list lacks is not removed. */
  | { kind: 'partial'; why: string }

type SourceContent = { content: AsyncIterable<Uint8Array>; mediaType?: string }

/** A place documents come from and are kept in step with. Its errors are `SourceError`s, or the reason of the signal. */
export interface DocumentSource {
  /** All files there are now. It throws where it cannot list all of them: what a list lacks, unless it says that it is partial, is taken for removed. */
  list(signal: AbortSignal): AsyncIterable<Listed>
  /** The content of a listed file, to be read to its end or given up by `return`; null where it has gone since. */
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

/** Why a source cannot be listed or one of its files not be read: `words` tell whoever set it up what to do. Its code is `source.<reason>`. */
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
