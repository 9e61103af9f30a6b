import { formatOfName, type SourceLastRun } from '@plumbline/contracts'
import type { DocumentState, SourceDocument } from '../store/source-documents'
import type { DocumentSource, SourceItem } from '@plumbline/ports/document-source'
import { tagsOf } from './plan/access-rules'
import { followDocuments } from './follow-documents'
import { holdRemovals, releaseMoved } from './removal/held-removals'
import { importFile, type MovedFiles, retagFile } from './import-file'
import { type Plan, planOf } from './plan/plan'
import { removePath } from './removal/remove-path'
import {
  beginTask,
  documentId,
  endsRun,
  failFile,
  failureText,
  forEachLimited,
  LostSource,
  type SourceRun,
} from './run/source-run'

const parallelFiles = 4
const parallelRemovals = 8

type SyncResult = Pick<SourceLastRun, 'problem' | 'toConfirm'>
type SourceListing = { items: Map<string, SourceItem>; present: Set<string>; partial?: string }

/** Lists all files of a source. No document is changed before this list is complete. */
const listAll = async ({ open, tally, signal }: SourceRun, source: DocumentSource): Promise<SourceListing> => {
  const list: SourceListing = { items: new Map(), present: new Set() }
  // A file is read if its name has a supported format. A page of a website is always read, because the server states
  // its format.
  const isRead = (path: string): boolean => open.source.settings.kind === 'website' || formatOfName(path) !== undefined
  for await (const listed of source.list(signal)) {
    if (listed.kind === 'partial') {
      list.partial = listed.why
      continue
    }
    const path = listed.kind === 'item' ? listed.item.path : listed.path
    list.present.add(path)
    if (listed.kind === 'skipped') failFile(tally, path, listed.why)
    else if (isRead(path)) list.items.set(path, listed.item)
    else tally.outcomes.set(path, 'skipped')
    tally.done += 1
  }
  return list
}

type KnownDocuments = { known: Map<string, SourceDocument>; catalog: Map<string, DocumentState> }

const readKnown = async ({ ports, open }: SourceRun): Promise<KnownDocuments> => {
  const known = await ports.runs.documents(open)
  const ids = [...known.values()].map(({ id }) => id)
  return { known, catalog: await ports.runs.states(open.tenant, ids) }
}

const withheldText = (gone: number, of: number): string =>
  `${gone} of ${of} ${of === 1 ? 'document is' : 'documents are'} no longer at the source. ${gone === 1 ? 'It was' : 'They were'} kept, because the settings of the source may be wrong or the source may be incomplete. Check the settings. To remove the missing ${gone === 1 ? 'document' : 'documents'}, run the source again and confirm the removal.`
const partialText = (why: string): string => `${why} Because of this, no documents were removed.`

const removeAll = async (run: SourceRun, gone: readonly string[]): Promise<void> => {
  beginTask(run.tally, 'remove', gone.length)
  await forEachLimited(gone, parallelRemovals, async (path) => {
    await removePath(run, path)
    run.tally.removed += 1
    run.tally.done += 1
  })
}

const importAll = async (
  run: SourceRun,
  source: DocumentSource,
  { toImport, retag }: Plan,
  moves: MovedFiles,
): Promise<void> => {
  const { ports, open, tally } = run
  beginTask(tally, 'bring', toImport.length + retag.length)
  const fresh = toImport.filter(({ before }) => !before)
  const notes = fresh.map(({ item: { path } }) => [path, { id: documentId(run, path) }] as const)
  if (!(await ports.runs.noteDocuments(open, notes))) throw new LostSource()
  await forEachLimited(retag, parallelFiles, async (one) => {
    await retagFile(run, source, one, moves)
    tally.done += 1
  })
  await forEachLimited(toImport, parallelFiles, async (file) => {
    await importFile(run, source, file, moves)
    tally.done += 1
  })
}

const possibleMoves = ({ mayHaveMoved }: Plan, known: KnownDocuments['known']): MovedFiles => {
  const from = new Map<string, string[]>()
  for (const path of mayHaveMoved) {
    const { digest = '' } = known.get(path) ?? {}
    from.set(digest, [...(from.get(digest) ?? []), path])
  }
  return { from, found: new Map() }
}

const recordUnchanged = (run: SourceRun, { unchanged }: Plan, catalog: KnownDocuments['catalog']): void => {
  for (const { path } of unchanged) {
    const { status, error = '' } = catalog.get(documentId(run, path)) ?? {}
    if (status === 'failed') failFile(run.tally, path, error)
    else run.tally.outcomes.set(path, 'unchanged')
  }
}

const syncFrom = async (
  run: SourceRun,
  source: DocumentSource,
  { partial, ...list }: SourceListing,
): Promise<SyncResult> => {
  const { open } = run
  const { known, catalog } = await readKnown(run)
  const retryFailed = open.asked !== null
  const wanted = (path: string): string[] => tagsOf(open.source.access, path)
  const plan = planOf({ ...list, source: open.name, known, catalog, tagsOf: wanted, retryFailed })
  recordUnchanged(run, plan, catalog)
  const gone = partial === undefined ? plan.vanished : []
  const held = await holdRemovals(run, { known, catalog }, gone, list.present)
  const first = gone.filter((path) => !held.has(path) && !plan.mayHaveMoved.has(path))
  await removeAll(run, first)
  const moves = possibleMoves(plan, partial === undefined ? known : new Map())
  await importAll(run, source, plan, moves)
  const moved = new Set(moves.found.values())
  await releaseMoved(
    run,
    known,
    [...moved].filter((path) => held.has(path)),
  )
  const done = new Set([...first, ...moved])
  const rest = gone.filter((path) => !done.has(path) && !held.has(path))
  await removeAll(run, rest)
  await followDocuments(run, plan, moves)
  if (partial !== undefined) return { problem: partialText(partial) }
  const toConfirm = [...held].filter((path) => !moved.has(path)).length
  return toConfirm > 0 ? { problem: withheldText(toConfirm, known.size), toConfirm } : {}
}

/** Syncs a source. If another run can continue the sync, throws the error. Otherwise, returns the error as a result. */
export const syncSource = async (run: SourceRun): Promise<SyncResult> => {
  const { ports, open, signal } = run
  let source: DocumentSource | undefined
  try {
    source = await ports.openSource(open.source.settings, open.tenant)
    return await syncFrom(run, source, await listAll(run, source))
  } catch (error) {
    if (endsRun(error, signal)) throw error
    ports.log.warn({ err: error, source: open.name, tenant: open.tenant }, 'source not synced')
    return { problem: failureText(error) }
  } finally {
    await source?.close()
  }
}
