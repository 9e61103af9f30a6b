import { type DocumentStore, partsThatMake, type Revision } from '@plumbline/ports/document-store'
import type { FileState } from '../redis'
import { type DocumentRecord, jsonBytes, recordsIn, wasUnknown } from './document-record'
import { isUntouched, judgeAll, type JudgedRevision, type ReadFileState, revisionOf } from './standing'

export type Leftovers = {
  fileState: ReadFileState
  /** Files touched within this time are skipped, because their upload may be in progress. */
  untouchedMs: number
  /** How long to keep a file that the catalog does not know and nobody deleted. */
  keepUnknownMs: number
  signal: AbortSignal
}

/** `unknown`: the number of documents whose files stay although the catalog does not know them. */
export type Swept = { removed: number; unknown: number }

const recordOf = (id: string, { tenant, acceptedAt, document }: FileState): DocumentRecord => {
  const { source = { kind: 'text' }, access = [], from: _, ...told } = document
  return { tenant, id, acceptedAt, access, source, document: told }
}

/** Copies the catalog's record of a document next to an original that was stored without one. */
const copyRecord = async (store: DocumentStore, fileState: ReadFileState, of: Revision): Promise<void> => {
  const state = await fileState(of.id)
  // The catalog has only the tags of the newest revision.
  if (state?.newest !== of.revision) return
  await store.put({ ...of, tenant: state.tenant }, partsThatMake.record, jsonBytes(recordOf(of.id, state)))
}
const lacksRecord = ({ parts, state, revision }: JudgedRevision): boolean =>
  state?.newest === revision && parts.includes(partsThatMake.about) && !parts.includes(partsThatMake.record)

/** Checks each part by itself, because the listing may be out of date. */
const isIncomplete = async (store: DocumentStore, judged: JudgedRevision): Promise<boolean> => {
  if (judged.standing !== 'incomplete') return false
  const parts = [partsThatMake.bytes, partsThatMake.about]
  const sizes = await Promise.all(parts.map((part) => store.size(revisionOf(judged), part)))
  return sizes.includes(null)
}

/** Returns whether a revision has been unknown for `keepUnknownMs`, counted from the first sweep that saw it. */
const isExpired = async (store: DocumentStore, judged: JudgedRevision, keepUnknownMs: number): Promise<boolean> => {
  const records = recordsIn(store)
  const of = revisionOf(judged)
  const since = await records.unknownSince(of)
  if (since === null) await records.noteUnknown(of, Date.now())
  return since !== null && Date.now() - since >= keepUnknownMs
}

/** Drops old tombstones. A tombstone stays while a stored file or a catalog entry could bring its document back. */
const dropTombstones = async (store: DocumentStore, { fileState, keepUnknownMs, signal }: Leftovers): Promise<void> => {
  for await (const { touchedAt, ...document } of store.tombstones.list(signal)) {
    if (Date.now() - touchedAt < keepUnknownMs) continue
    if ((await fileState(document.id)) || (await store.revisions(document)).length > 0) continue
    await store.tombstones.drop(document)
  }
}

type Found = {
  isAnyKnown: boolean
  isKnownAgain: Revision[]
  recordless: Revision[]
  unneeded: JudgedRevision[]
  doubtful: JudgedRevision[]
}

/** Reads the whole store before the sweep changes anything in it. */
const walk = async (store: DocumentStore, { fileState, untouchedMs, signal }: Leftovers): Promise<Found> => {
  const found: Found = { isAnyKnown: false, isKnownAgain: [], recordless: [], unneeded: [], doubtful: [] }
  for await (const judged of judgeAll(store, fileState, signal)) {
    found.isAnyKnown ||= judged.state !== null
    if (judged.standing === 'needed') {
      if (wasUnknown(judged)) found.isKnownAgain.push(revisionOf(judged))
      if (lacksRecord(judged)) found.recordless.push(revisionOf(judged))
    } else if (isUntouched(judged, untouchedMs)) {
      const isUnneeded = judged.standing === 'deleted' || judged.standing === 'superseded'
      found[isUnneeded ? 'unneeded' : 'doubtful'].push(judged)
    }
  }
  return found
}

/**
 * Deletes the files of deleted documents, replaced revisions and unfinished uploads. Other files that the catalog does
 * not know stay for `keepUnknownMs`, because the catalog may have been restored from an older copy.
 */
export const sweepStore = async (store: DocumentStore, leftovers: Leftovers): Promise<Swept> => {
  const { fileState, untouchedMs, keepUnknownMs, signal } = leftovers
  let removed = await store.tidy(untouchedMs, signal)
  const drop = async (judged: JudgedRevision): Promise<void> => {
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
    // If the catalog knows none of the documents, this is probably the wrong or an empty Redis. Unknown files stay.
    const isDone =
      isAnyKnown && ((await isIncomplete(store, judged)) || (await isExpired(store, judged, keepUnknownMs)))
    if (isDone) await drop(judged)
    else unknown.add(judged.id)
  }
  if (isAnyKnown) await dropTombstones(store, leftovers)
  return { removed, unknown: unknown.size }
}
