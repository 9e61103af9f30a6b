/** Document ids are unique across all tenants. */
export type StoredDocument = { tenant: string; id: string }
export type Revision = StoredDocument & { revision: string }

export type LocalFile = { path: string; bytes: number; digest: string }
/** `digest` is the SHA-256 hash in hexadecimal. */
export type StoredPart = { name: string; bytes: number; digest: string }
/** `parts` does not include parts in subfolders. */
export type ListedRevision = Revision & { touchedAt: number; parts: readonly string[] }

/** Every stored revision has these parts. If they are missing, the revision was removed and accepts no other part. */
export const partsThatMake = { bytes: 'original', record: 'record.json', about: 'original.json' } as const
export const makesRevision = (part: string): boolean => Object.values<string>(partsThatMake).includes(part)

/** A tombstone is a small record that stays after its document has been deleted. */
export interface Tombstones {
  put(document: StoredDocument, content: Uint8Array): Promise<void>
  read(document: StoredDocument): Promise<Buffer | null>
  drop(document: StoredDocument): Promise<void>
  list(signal: AbortSignal): AsyncIterable<StoredDocument & { touchedAt: number }>
}

/** The name suffix of incomplete files. A process that dies while it writes a file leaves such a file behind. */
export const unfinishedSuffix = '.tmp'

/** Stores the files of documents. Each part of a document is stored completely or not at all. */
export interface DocumentStore {
  readonly where: string
  /** A folder on this machine for uploaded files that have not been stored yet. */
  readonly incoming: string
  readonly sweepEveryMs: number
  /** Stores a part. A local file must be in `incoming` and is moved. Throws `document.gone` for a removed revision. */
  put(of: Revision, part: string, content: Uint8Array | LocalFile): Promise<void>
  size(of: Revision, part: string): Promise<number | null>
  read(of: Revision, part: string): Promise<Buffer | null>
  /** Calls `use` with the path of a local file, which may be deleted later. Returns null if the part does not exist. */
  withFile<T>(of: Revision, part: string, signal: AbortSignal, use: (path: string) => Promise<T>): Promise<T | null>
  parts(of: Revision): Promise<StoredPart[]>
  /** Removes the parts of a revision. With `folder`, removes only the parts in this folder. */
  drop(of: Revision, folder?: string): Promise<void>
  dropPart(of: Revision, part: string): Promise<void>
  remove(document: StoredDocument): Promise<void>
  /** Returns the ids of all revisions, including incomplete ones. */
  revisions(document: StoredDocument): Promise<string[]>
  readonly tombstones: Tombstones
  /**
   * Lists the revisions of a tenant or, with null, of all tenants. Revisions of one document follow each other. Their
   * tenant is '' if none was stored.
   */
  list(tenant: string | null, signal: AbortSignal): AsyncIterable<ListedRevision>
  /** Removes incomplete files that were last changed more than `untouchedMs` ago. */
  tidy(untouchedMs: number, signal: AbortSignal): Promise<number>
  check(): Promise<void>
  close(): Promise<void>
}
