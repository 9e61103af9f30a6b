/** A document's id is of its tenant: no two tenants share one. */
export type StoredDocument = { tenant: string; id: string }
export type Revision = StoredDocument & { revision: string }

/** A file of this machine, measured. */
export type LocalFile = { path: string; bytes: number; digest: string }
/** `digest`: SHA-256, in hex. */
export type StoredPart = { name: string; bytes: number; digest: string }
/** `parts`: without those in folders of the revision. */
export type ListedRevision = Revision & { touchedAt: number; parts: readonly string[] }

/** These make a revision. Every other part stands beside them, and is refused where they are gone. */
export const partsThatMake = { bytes: 'original', record: 'record.json', about: 'original.json' } as const
export const makesRevision = (part: string): boolean => Object.values<string>(partsThatMake).includes(part)

/** Notes about deleted documents. They are not removed with the document. */
export interface Tombstones {
  put(document: StoredDocument, content: Uint8Array): Promise<void>
  read(document: StoredDocument): Promise<Buffer | null>
  drop(document: StoredDocument): Promise<void>
  list(signal: AbortSignal): AsyncIterable<StoredDocument & { touchedAt: number }>
}

/** What came in or out by half when its process died. */
export const unfinished = '.tmp'

/** Where the bytes of documents stand and what was made of them: whole under its name, or not there. */
export interface DocumentStore {
  /** Its name for people who look into the log. */
  readonly where: string
  /** A folder of this machine for files on their way in. */
  readonly incoming: string
  /** How often it may be walked whole. */
  readonly sweepEveryMs: number
  /** A file in `incoming` is taken over. Fails with `document.gone` where the revision it stands beside was removed, and leaves nothing then. */
  put(of: Revision, part: string, content: Uint8Array | LocalFile): Promise<void>
  size(of: Revision, part: string): Promise<number | null>
  read(of: Revision, part: string): Promise<Buffer | null>
  /** A part as a file of this machine, as long as `use` takes; null where there is none. */
  withFile<T>(of: Revision, part: string, signal: AbortSignal, use: (path: string) => Promise<T>): Promise<T | null>
  parts(of: Revision): Promise<StoredPart[]>
  /** A revision, or one folder of its parts. */
  drop(of: Revision, folder?: string): Promise<void>
  dropPart(of: Revision, part: string): Promise<void>
  remove(document: StoredDocument): Promise<void>
  /** The stored revisions of a document, also those that are incomplete. */
  revisions(document: StoredDocument): Promise<string[]>
  readonly tombstones: Tombstones
  /** The revisions of a tenant or, for null, of all, those of a document one after the other. One that was brought before its tenant was noted has the tenant ''. */
  list(tenant: string | null, signal: AbortSignal): AsyncIterable<ListedRevision>
  /** Removes what was left by half for so long, and says how much. */
  tidy(untouchedMs: number, signal: AbortSignal): Promise<number>
  /** Fails where it does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}
