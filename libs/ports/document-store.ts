/** A stored document. Its id belongs to one tenant: no two tenants share an id. */
export type StoredDocument = { tenant: string; id: string }
export type Revision = StoredDocument & { revision: string }

/** A file on this machine, with its size and digest. */
export type LocalFile = { path: string; bytes: number; digest: string }
/** `digest`: SHA-256, in hex. */
export type StoredPart = { name: string; bytes: number; digest: string }
/** `parts` excludes parts in folders of the revision. */
export type ListedRevision = Revision & { touchedAt: number; parts: readonly string[] }

/**
 * The parts that every revision needs. If they are gone, the revision was removed, and storing any other part fails.
 */
export const partsThatMake = { bytes: 'original', record: 'record.json', about: 'original.json' } as const
export const makesRevision = (part: string): boolean => Object.values<string>(partsThatMake).includes(part)

/** Notes about deleted documents. A note remains after its document is deleted. */
export interface Tombstones {
  put(document: StoredDocument, content: Uint8Array): Promise<void>
  read(document: StoredDocument): Promise<Buffer | null>
  drop(document: StoredDocument): Promise<void>
  list(signal: AbortSignal): AsyncIterable<StoredDocument & { touchedAt: number }>
}

/** The file name suffix of incomplete files. Such files remain if a process dies while writing. */
export const unfinished = '.tmp'

/** Stores the bytes of documents and the parts derived from them. A part is either stored completely or absent. */
export interface DocumentStore {
  /** The store's name for the log. */
  readonly where: string
  /** A folder on this machine for incoming files. */
  readonly incoming: string
  /** The minimum time between two cleanups that walk through the whole store. */
  readonly sweepEveryMs: number
  /**
   * Stores a part. A local file in `incoming` is moved into the store. If the revision was removed, fails with
   * `document.gone` and stores nothing.
   */
  put(of: Revision, part: string, content: Uint8Array | LocalFile): Promise<void>
  size(of: Revision, part: string): Promise<number | null>
  read(of: Revision, part: string): Promise<Buffer | null>
  /**
   * Passes a part to `use` as a file on this machine, which exists until `use` ends. Returns null if there is no
   * such part.
   */
  withFile<T>(of: Revision, part: string, signal: AbortSignal, use: (path: string) => Promise<T>): Promise<T | null>
  parts(of: Revision): Promise<StoredPart[]>
  /** Removes a revision, or only one folder of its parts. */
  drop(of: Revision, folder?: string): Promise<void>
  dropPart(of: Revision, part: string): Promise<void>
  remove(document: StoredDocument): Promise<void>
  /** Returns the stored revisions of a document, including incomplete ones. */
  revisions(document: StoredDocument): Promise<string[]>
  readonly tombstones: Tombstones
  /**
   * Lists the revisions of a tenant, grouped by document. Null lists those of all tenants. Documents that were stored
   * without a tenant have the tenant ''.
   */
  list(tenant: string | null, signal: AbortSignal): AsyncIterable<ListedRevision>
  /** Removes incomplete files that did not change for `untouchedMs`. Returns the number of removed files. */
  tidy(untouchedMs: number, signal: AbortSignal): Promise<number>
  /** Throws if the store does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}
