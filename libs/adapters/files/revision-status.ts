import { type DocumentStore, type ListedRevision, partsThatMake, type Revision } from '@plumbline/ports/document-store'
import type { FileState } from '../redis/documents/ingest-catalog'
import { type DocumentRecord, type DocumentRecords, recordsIn } from './document-record'

/** `incomplete`: an upload or a removal was interrupted. `unknown`: the catalog may have lost the revision. */
type RevisionStatus = 'needed' | 'deleted' | 'superseded' | 'incomplete' | 'unknown'
export type ClassifiedRevision = ListedRevision & {
  status: RevisionStatus
  state: FileState | null
  record: DocumentRecord | null
}

export type ReadFileState = (documentId: string) => Promise<FileState | null>

const isWhole = ({ parts }: ListedRevision): boolean =>
  parts.includes(partsThatMake.bytes) && parts.includes(partsThatMake.about)

const classify = async (
  of: ListedRevision,
  state: FileState | null,
  records: DocumentRecords,
): Promise<ClassifiedRevision> => {
  const as = (status: RevisionStatus, record: DocumentRecord | null = null): ClassifiedRevision => ({
    ...of,
    status,
    state,
    record,
  })
  if (state && [state.newest, state.served].includes(of.revision)) return as('needed')
  if (await records.isDeleted(of)) return as('deleted')
  if (!isWhole(of)) return as('incomplete')
  const record = await records.record(of)
  const isOlder = state !== null && record !== null && record.acceptedAt <= state.acceptedAt
  return as(isOlder ? 'superseded' : 'unknown', record)
}

export const classifyAll = async function* (
  store: DocumentStore,
  readState: ReadFileState,
  signal: AbortSignal,
): AsyncGenerator<ClassifiedRevision> {
  const records = recordsIn(store)
  let current: { id: string; state: FileState | null } = { id: '', state: null }
  for await (const listed of store.list(null, signal)) {
    signal.throwIfAborted()
    if (listed.id !== current.id) current = { id: listed.id, state: await readState(listed.id) }
    // Revisions from earlier releases have no stored tenant, so the tenant is taken from the catalog.
    const tenant = listed.tenant || (current.state?.tenant ?? '')
    yield classify({ ...listed, tenant }, current.state, records)
  }
}

/** Returns false for a recently changed revision, because its upload may still be in progress. */
export const isUntouched = ({ touchedAt }: ListedRevision, untouchedMs: number): boolean =>
  Date.now() - touchedAt >= untouchedMs

export const revisionOf = ({ tenant, id, revision }: Revision): Revision => ({ tenant, id, revision })
