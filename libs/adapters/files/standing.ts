import { type DocumentStore, type ListedRevision, partsThatMake, type Revision } from '@plumbline/ports/document-store'
import type { FileState } from '../redis'
import { type DocumentRecord, type DocumentRecords, recordsIn } from './document-record'

/**
 * The state of a stored revision. `needed`: the catalog names it. `deleted`: a tombstone names it. `superseded`: the
 * catalog knows a newer revision. `incomplete`: an upload or a removal was interrupted, so there is no usable original.
 * `unknown`: the catalog may have lost it.
 */
type Standing = 'needed' | 'deleted' | 'superseded' | 'incomplete' | 'unknown'
export type JudgedRevision = ListedRevision & {
  standing: Standing
  state: FileState | null
  record: DocumentRecord | null
}

/** Returns null if the catalog has no such document. */
export type ReadFileState = (documentId: string) => Promise<FileState | null>

const isWhole = ({ parts }: ListedRevision): boolean =>
  parts.includes(partsThatMake.bytes) && parts.includes(partsThatMake.about)

const judge = async (
  of: ListedRevision,
  state: FileState | null,
  records: DocumentRecords,
): Promise<JudgedRevision> => {
  const as = (standing: Standing, record: DocumentRecord | null = null): JudgedRevision => ({
    ...of,
    standing,
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

/** Compares every stored revision with the catalog, one document at a time. */
export const judgeAll = async function* (
  store: DocumentStore,
  readState: ReadFileState,
  signal: AbortSignal,
): AsyncGenerator<JudgedRevision> {
  const records = recordsIn(store)
  let current: { id: string; state: FileState | null } = { id: '', state: null }
  for await (const listed of store.list(null, signal)) {
    signal.throwIfAborted()
    if (listed.id !== current.id) current = { id: listed.id, state: await readState(listed.id) }
    // Revisions that were stored before tenants were noted have none.
    const tenant = listed.tenant || (current.state?.tenant ?? '')
    yield judge({ ...listed, tenant }, current.state, records)
  }
}

/** Returns whether a revision is too old to be an upload in progress. */
export const isUntouched = ({ touchedAt }: ListedRevision, untouchedMs: number): boolean =>
  Date.now() - touchedAt >= untouchedMs

export const revisionOf = ({ tenant, id, revision }: Revision): Revision => ({ tenant, id, revision })
