import { z } from 'zod'
import { DocumentSource, Format } from '@plumbline/contracts'
import type { DocumentStore, ListedRevision, Revision, StoredDocument } from '@plumbline/ports/document-store'

export const DocumentRecord = z.object({
  tenant: z.string(),
  id: z.string(),
  /** Revisions of a document are ordered by this time. */
  acceptedAt: z.number(),
  /**
   * An empty list of access tags is stored too. A record without this list is invalid, so that a document whose tags
   * are missing never becomes readable for everybody.
   */
  access: z.array(z.string()),
  source: DocumentSource,
  document: z.object({
    collection: z.string(),
    title: z.string().optional(),
    format: Format.optional(),
    name: z.string().optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    date: z.string().optional(),
    supersedes: z.array(z.string()).optional(),
  }),
})
export type DocumentRecord = z.infer<typeof DocumentRecord>

/** Marks a document as deleted, so that files that were left behind cannot bring the document back. */
const Tombstone = z.object({ tenant: z.string(), revisions: z.array(z.string()), deletedAt: z.number() })
type Tombstone = z.infer<typeof Tombstone>

const Unknown = z.object({ since: z.number() })
const unknownPart = 'unknown.json'

export const isMarkedUnknown = ({ parts }: ListedRevision): boolean => parts.includes(unknownPart)

export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

/** Returns null if the bytes are missing or are not valid JSON of this shape, for example after a power failure. */
export const jsonIn = <S extends z.ZodType>(bytes: Buffer | null, shape: S): z.output<S> | null => {
  if (!bytes) return null
  try {
    return shape.parse(JSON.parse(bytes.toString('utf8')))
  } catch {
    return null
  }
}

export const recordsIn = (store: DocumentStore) => {
  const tombstone = async (document: StoredDocument): Promise<Tombstone | null> => {
    const found = jsonIn(await store.tombstones.read(document), Tombstone)
    return found?.tenant === document.tenant ? found : null
  }
  return {
    tombstone,
    isDeleted: async (of: Revision): Promise<boolean> =>
      (await tombstone(of))?.revisions.includes(of.revision) ?? false,
    bury: async (document: StoredDocument, named: readonly string[]): Promise<void> => {
      const before = (await tombstone(document))?.revisions ?? []
      const revisions = [...new Set([...before, ...named, ...(await store.revisions(document))])]
      const buried: Tombstone = { tenant: document.tenant, revisions, deletedAt: Date.now() }
      await store.tombstones.put(document, jsonBytes(buried))
    },
    record: async (of: Revision): Promise<DocumentRecord | null> => {
      const found = jsonIn(await store.read(of, 'record.json'), DocumentRecord)
      return found?.id === of.id && found.tenant === of.tenant ? found : null
    },
    unknownSince: async (of: Revision): Promise<number | null> =>
      jsonIn(await store.read(of, unknownPart), Unknown)?.since ?? null,
    noteUnknown: (of: Revision, since: number): Promise<void> => store.put(of, unknownPart, jsonBytes({ since })),
    noteKnown: (of: Revision): Promise<void> => store.dropPart(of, unknownPart),
  }
}
export type DocumentRecords = ReturnType<typeof recordsIn>
