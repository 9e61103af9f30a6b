/** Document ids are unique across all tenants. */
export type StoredDocument = { tenant: string; id: string }
export type Revision = StoredDocument & { revision: string }

export type LocalFile = { path: string; bytes: number; digest: string }
/** `digest`: SHA-256 in hex. */
export type StoredPart = { name: string; bytes: number; digest: string }
/** Parts in subfolders are not listed. */
export type ListedRevision = Revision & { touchedAt: number; parts: readonly string[] }

/** Every stored revision has these parts. A revision without them was removed, so it accepts no other part. */
export const partsThatMake = { bytes: 'original', record: 'record.json', about: 'original.json' } as const
export const makesRevision = (part: string): boolean => Object.values<string>(partsThatMake).includes(part)

/** A tombstone is kept after its document is deleted. */
export interface Tombstones {
  put(document: StoredDocument, content: Uint8Array): Promise<void>
  read(document: StoredDocument): Promise<Buffer | null>
  drop(document: StoredDocument): Promise<void>
  list(signal: AbortSignal): AsyncIterable<StoredDocument & { touchedAt: number }>
}

/** The name suffix of incomplete files, which a process that dies while writing leaves behind. */
export const unfinishedSuffix = '.tmp'

/** Each part is stored completely or not at all. */
export interface DocumentStore {
  readonly where: string
  /** A folder on this machine for uploaded files that are not stored yet. */
  readonly incoming: string
  readonly sweepEveryMs: number
  /** A local file must be in `incoming` and is moved. Throws `document.gone` if the revision was removed. */
  put(of: Revision, part: string, content: Uint8Array | LocalFile): Promise<void>
  size(of: Revision, part: string): Promise<number | null>
  read(of: Revision, part: string): Promise<Buffer | null>
  /** The local file may be deleted after `use`. Returns null if there is no such part. */
  withFile<T>(of: Revision, part: string, signal: AbortSignal, use: (path: string) => Promise<T>): Promise<T | null>
  parts(of: Revision): Promise<StoredPart[]>
  /** With `folder`, only the parts in this folder are removed. */
  drop(of: Revision, folder?: string): Promise<void>
  dropPart(of: Revision, part: string): Promise<void>
  remove(document: StoredDocument): Promise<void>
  /** Returns incomplete revisions too. */
  revisions(document: StoredDocument): Promise<string[]>
  readonly tombstones: Tombstones
  /** With null, lists all tenants. A document's revisions are adjacent. Their tenant is '' if none was stored. */
  list(tenant: string | null, signal: AbortSignal): AsyncIterable<ListedRevision>
  /** Removes incomplete files that were last changed more than `untouchedMs` ago. */
  tidy(untouchedMs: number, signal: AbortSignal): Promise<number>
  check(): Promise<void>
  close(): Promise<void>
}
