import type { IngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import {
  type DocumentStore,
  type ListedRevision,
  makesRevision,
  type Revision,
  type StoredPart,
} from '@plumbline/ports/document-store'
import { Fault } from './terminal'

export type CopiedDocuments = {
  documents: number
  versions: number
  files: number
  bytes: number
  copied: number
  /** The number of stored versions that no document needs. They are not copied. */
  unneeded: number
}

type CopyOptions = {
  from: DocumentStore
  to: DocumentStore
  catalog: Pick<IngestCatalog, 'needed' | 'tenantOf'>
  signal: AbortSignal
  tell(copied: CopiedDocuments): void
}

const byName = (parts: StoredPart[]): Map<string, StoredPart> => new Map(parts.map((part) => [part.name, part]))
const isSame = (one: StoredPart, other: StoredPart | undefined): boolean =>
  other?.bytes === one.bytes && other.digest === one.digest

/**
 * Sorts the files of a revision (a stored version). The files that create the revision come first, because the others
 * can be stored only after them.
 */
const requiredFirst = (a: StoredPart, b: StoredPart): number =>
  Number(makesRevision(b.name)) - Number(makesRevision(a.name))

const copyRevision = async (
  { from, to, signal }: CopyOptions,
  here: Revision,
  there: Revision,
  copied: CopiedDocuments,
): Promise<void> => {
  const parts = (await from.parts(here)).sort(requiredFirst)
  const before = byName(await to.parts(there))
  for (const part of parts.filter((one) => !isSame(one, before.get(one.name)))) {
    signal.throwIfAborted()
    await from.withFile(here, part.name, signal, (path) => to.put(there, part.name, { ...part, path }))
    copied.copied += 1
  }
  const after = byName(await to.parts(there))
  const lost = parts.find((part) => !isSame(part, after.get(part.name)))
  if (lost) throw new Fault(`The copy of ${lost.name} of the document ${there.id} differs from the original.`)
  copied.versions += 1
  copied.files += parts.length
  copied.bytes += parts.reduce((sum, { bytes }) => sum + bytes, 0)
}

const parallelCopies = 4

export const copyDocuments = async (options: CopyOptions): Promise<CopiedDocuments> => {
  const { from, catalog, signal, tell } = options
  const copied: CopiedDocuments = { documents: 0, versions: 0, files: 0, bytes: 0, copied: 0, unneeded: 0 }
  const documents = new Set<string>()
  const copyOne = async (listed: ListedRevision): Promise<void> => {
    const [tenant, needed] = await Promise.all([catalog.tenantOf(listed.id), catalog.needed(listed.id)])
    if (tenant === null || !needed.includes(listed.revision)) return void (copied.unneeded += 1)
    await copyRevision(options, listed, { ...listed, tenant }, copied)
    copied.documents = documents.add(listed.id).size
    tell(copied)
  }
  const work = async (all: AsyncIterator<ListedRevision>): Promise<void> => {
    for (let next = await all.next(); !next.done; next = await all.next()) await copyOne(next.value)
  }
  const all = from.list(null, signal)[Symbol.asyncIterator]()
  await Promise.all(Array.from({ length: parallelCopies }, () => work(all)))
  return copied
}
