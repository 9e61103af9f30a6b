import type { DocumentView } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import type { Revision } from '@plumbline/ports/document-store'
import type { Catalog } from '../redis/documents/catalog'
import type { IngestJob } from '../redis/documents/open-documents'
import type { DocumentFiles, Original } from './document-files'
import type { DocumentRecord } from './document-record'
import type { ReadFileState } from './revision-status'

export type UnknownOriginal = Revision & { original: Original; record: DocumentRecord | null }

/** Files that changed within this time are skipped. They may belong to an upload that has no catalog entry yet. */
const untouchedMs = 60_000

type Options = { fileState: ReadFileState; signal: AbortSignal; untouchedMs?: number }

export const findUnknown = async function* (
  files: Pick<DocumentFiles, 'unknown' | 'original'>,
  options: Options,
): AsyncGenerator<UnknownOriginal> {
  let newest: UnknownOriginal | undefined
  for await (const { tenant, id, revision, record } of files.unknown({ untouchedMs, ...options })) {
    const original = await files.original({ tenant, id, revision })
    if (!original) continue
    const found = { tenant, id, revision, original, record }
    if (newest && newest.id !== id) {
      yield newest
      newest = undefined
    }
    if ((record?.acceptedAt ?? -1) >= (newest?.record?.acceptedAt ?? -1)) newest = found
  }
  if (newest) yield newest
}

type Ports = {
  catalog: Pick<Catalog, 'createDocument' | 'waiting'>
  files: Pick<DocumentFiles, 'unknown' | 'original' | 'drop'>
  queue: { add(job: IngestJob, waiting: number): Promise<void> }
}
export type Adopted = Revision & { as: 'adopted' | 'unchanged' | 'no-tags' | 'refused'; title: string }

const titleOf = ({ record, original }: UnknownOriginal): string =>
  record?.document.title ?? record?.document.name ?? original.name

const adopt = async ({ catalog, files, queue }: Ports, found: UnknownOriginal): Promise<Adopted['as']> => {
  const { tenant, id, revision, original, record } = found
  if (!record) return 'no-tags'
  const told = { ...record.document, access: record.access }
  const brought = { told, source: record.source, digest: original.digest }
  const created = await catalog
    .createDocument(tenant, id, revision, brought)
    .catch((error: unknown): { view: DocumentView; taken: string } | null => {
      if (error instanceof AppError && error.retry === 'never') return null
      throw error
    })
  if (!created) return 'refused'
  if (created.taken === 'unchanged') await files.drop({ tenant, id, revision })
  else await queue.add({ documentId: id, revision, tenant }, await catalog.waiting(tenant))
  return created.taken === 'unchanged' ? 'unchanged' : 'adopted'
}

/**
 * Adds stored documents to the catalog if the catalog has lost them. Takes their access tags from the records next to
 * the files.
 */
export const adoptUnknown = async function* (ports: Ports, options: Options): AsyncGenerator<Adopted> {
  for await (const found of findUnknown(ports.files, options)) {
    const { tenant, id, revision } = found
    yield { tenant, id, revision, as: await adopt(ports, found), title: titleOf(found) }
  }
}
