/** A file at a source. `version` is any text that changes when the content does: a digest, an etag, an object id, size and time. */
export type SourceItem = { path: string; version: string; size?: number; title?: string; url?: string }

/** A place documents come from and are kept in step with. */
export interface DocumentSource {
  /** All files there are now. It throws where it cannot list all of them: what a list lacks is taken for removed. */
  list(signal: AbortSignal): AsyncIterable<SourceItem>
  /** The content of a listed file; null where it has gone since. */
  read(
    item: SourceItem,
    signal: AbortSignal,
  ): Promise<{ content: AsyncIterable<Uint8Array>; mediaType?: string } | null>
  close(): Promise<void>
}
