/** A document id belongs to its tenant. No two tenants share one. */
export type StoredDocument = { tenant: string; id: string }
export type Revision = StoredDocument & { revision: string }

/** A file on this machine, with its size and digest. */
export type LocalFile = { path: string; bytes: number; digest: string }
/** `digest`: SHA-256, in hex. */
export type StoredPart = { name: string; bytes: number; digest: string }
/** `parts` excludes parts in folders of the revision. */
export type ListedRevision = Revision & { touchedAt: number; parts: readonly string[] }

/** The parts that make a revision. Storing any other part fails once these are gone. */
export const partsThatMake = { bytes: 'original', record: 'record.json', about: 'original.json' } as const
export const makesRevision = (part: string): boolean => Object.values<string>(partsThatMake).includes(part)

/** Notes about deleted documents. They are not removed with the document. */
export interface Tombstones {
  put(document: StoredDocument, content: Uint8Array): Promise<void>
  read(document: StoredDocument): Promise<Buffer | null>
  drop(document: StoredDocument): Promise<void>
  list(signal: AbortSignal): AsyncIterable<StoredDocument & { touchedAt: number }>
}

/** Suffix of files left unfinished by a process that died. */
export const unfinished = '.tmp'

/** Stores the bytes of documents and the parts derived from them. A part is complete under its name, or absent. */
export interface DocumentStore {
  /** The store's name for the log. */
  readonly where: string
  /** A folder on this machine for incoming files. */
  readonly incoming: string
  /** The shortest time between two complete walks. */
  readonly sweepEveryMs: number
  /**
   * Stores a part, and takes over a file that is in `incoming`. Fails with `document.gone` if the revision was
   * removed, and then leaves nothing.
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
  /** Drops a revision, or one folder of its parts. */
  drop(of: Revision, folder?: string): Promise<void>
  dropPart(of: Revision, part: string): Promise<void>
  remove(document: StoredDocument): Promise<void>
  /** Returns the stored revisions of a document, including incomplete ones. */
  revisions(document: StoredDocument): Promise<string[]>
  readonly tombstones: Tombstones
  /**
   * Lists the revisions of a tenant, or of all for null, grouped by document. Documents older than tenant records
   * have the tenant ''.
   */
  list(tenant: string | null, signal: AbortSignal): AsyncIterable<ListedRevision>
  /** Removes unfinished files untouched for this long, and returns their number. */
  tidy(untouchedMs: number, signal: AbortSignal): Promise<number>
  /** Throws if the store does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}
