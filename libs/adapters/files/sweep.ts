import { type DocumentStore, partsThatMake, type Revision } from '@plumbline/ports/document-store'
import type { FileState } from '../redis/documents/ingest-catalog'
import { type DocumentRecord, jsonBytes, recordsIn, isMarkedUnknown } from './document-record'
import { type ClassifiedRevision, classifyAll, isUntouched, type ReadFileState, revisionOf } from './revision-status'

export type Leftovers = {
  fileState: ReadFileState
  untouchedMs: number
  keepUnknownMs: number
  signal: AbortSignal
}

/** `unknown` is the number of documents that have files but no catalog entry. */
export type Swept = { removed: number; unknown: number }

const recordOf = (id: string, { tenant, acceptedAt, document }: FileState): DocumentRecord => {
  const { source = { kind: 'text' }, access = [], from: _, ...told } = document
  return { tenant, id, acceptedAt, access, source, document: told }
}

const copyRecord = async (store: DocumentStore, fileState: ReadFileState, of: Revision): Promise<void> => {
  const state = await fileState(of.id)
  // Only the newest revision gets a record, because the catalog does not have the access tags of earlier revisions.
  if (state?.newest !== of.revision) return
  await store.put({ ...of, tenant: state.tenant }, partsThatMake.record, jsonBytes(recordOf(of.id, state)))
}
const lacksRecord = ({ parts, state, revision }: ClassifiedRevision): boolean =>
  state?.newest === revision && parts.includes(partsThatMake.about) && !parts.includes(partsThatMake.record)

/** Checks the files of the revision again, because the listing may be out of date. */
const isIncomplete = async (store: DocumentStore, judged: ClassifiedRevision): Promise<boolean> => {
  if (judged.status !== 'incomplete') return false
  const parts = [partsThatMake.bytes, partsThatMake.about]
  const sizes = await Promise.all(parts.map((part) => store.size(revisionOf(judged), part)))
  return sizes.includes(null)
}

/** Returns true if `keepUnknownMs` have passed since the first sweep that did not find the revision in the catalog. */
const isExpired = async (store: DocumentStore, judged: ClassifiedRevision, keepUnknownMs: number): Promise<boolean> => {
  const records = recordsIn(store)
  const of = revisionOf(judged)
  const since = await records.unknownSince(of)
  if (since === null) await records.noteUnknown(of, Date.now())
  return since !== null && Date.now() - since >= keepUnknownMs
}

/** Removes old tombstones. Keeps a tombstone while its document still has a catalog entry or stored files. */
const dropTombstones = async (store: DocumentStore, { fileState, keepUnknownMs, signal }: Leftovers): Promise<void> => {
  for await (const { touchedAt, ...document } of store.tombstones.list(signal)) {
    if (Date.now() - touchedAt < keepUnknownMs) continue
    if ((await fileState(document.id)) || (await store.revisions(document)).length > 0) continue
    await store.tombstones.drop(document)
  }
}

type SweepPlan = {
  isAnyKnown: boolean
  isKnownAgain: Revision[]
  recordless: Revision[]
  unneeded: ClassifiedRevision[]
  doubtful: ClassifiedRevision[]
}

const walk = async (store: DocumentStore, { fileState, untouchedMs, signal }: Leftovers): Promise<SweepPlan> => {
  const found: SweepPlan = { isAnyKnown: false, isKnownAgain: [], recordless: [], unneeded: [], doubtful: [] }
  for await (const judged of classifyAll(store, fileState, signal)) {
    found.isAnyKnown ||= judged.state !== null
    if (judged.status === 'needed') {
      if (isMarkedUnknown(judged)) found.isKnownAgain.push(revisionOf(judged))
      if (lacksRecord(judged)) found.recordless.push(revisionOf(judged))
    } else if (isUntouched(judged, untouchedMs)) {
      const isUnneeded = judged.status === 'deleted' || judged.status === 'superseded'
      found[isUnneeded ? 'unneeded' : 'doubtful'].push(judged)
    }
  }
  return found
}

/**
 * Removes files that are no longer needed. Keeps files without a catalog entry for `keepUnknownMs`, because a catalog
 * that was restored from an old backup may lack entries.
 */
export const sweepStore = async (store: DocumentStore, leftovers: Leftovers): Promise<Swept> => {
  const { fileState, untouchedMs, keepUnknownMs, signal } = leftovers
  let removed = await store.tidy(untouchedMs, signal)
  const drop = async (judged: ClassifiedRevision): Promise<void> => {
    await store.drop(revisionOf(judged))
    removed += 1
  }
  const { isAnyKnown, isKnownAgain, recordless, unneeded, doubtful } = await walk(store, leftovers)
  for (const of of isKnownAgain) await recordsIn(store).noteKnown(of)
  for (const of of recordless) await copyRecord(store, fileState, of)
  for (const judged of unneeded) await drop(judged)
  const unknown = new Set<string>()
  for (const judged of doubtful) {
    signal.throwIfAborted()
    // If the catalog knows none of the stored documents, Redis is probably empty or the wrong instance. The files are
    // kept then.
    const isDone =
      isAnyKnown && ((await isIncomplete(store, judged)) || (await isExpired(store, judged, keepUnknownMs)))
    if (isDone) await drop(judged)
    else unknown.add(judged.id)
  }
  if (isAnyKnown) await dropTombstones(store, leftovers)
  return { removed, unknown: unknown.size }
}
