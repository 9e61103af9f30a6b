import { formatOfName, type SourceLastRun } from '@plumbline/contracts'
import type { DocumentState, SourceDocument } from '@plumbline/adapters/redis'
import type { DocumentSource, SourceItem } from '@plumbline/ports/document-source'
import { tagsOf } from './access-rules'
import { bringOne, type Moves, retagOne } from './bring'
import { followDocuments } from './follow-documents'
import { holdRemovals, releaseMoved } from './held-removals'
import { type Plan, planOf } from './plan'
import { removePath } from './remove-path'
import { begin, eachOf, endsRun, failFile, idOf, LostSource, type SourceRun, wordsOf } from './source-run'

const filesAtOnce = 4
const removedAtOnce = 8

type Ended = Pick<SourceLastRun, 'problem' | 'toConfirm'>
type List = { items: Map<string, SourceItem>; present: Set<string>; partial?: string }

/** Returns the list of the whole source, because nothing may be changed before the list is complete. */
const listAll = async ({ open, tally, signal }: SourceRun, source: DocumentSource): Promise<List> => {
  const list: List = { items: new Map(), present: new Set() }
  // Only a web server states the format of a file. For other sources, the file name determines the format.
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
    else tally.became.set(path, 'skipped')
    tally.done += 1
  }
  return list
}

type Known = { known: Map<string, SourceDocument>; catalog: Map<string, DocumentState> }

const readKnown = async ({ ports, open }: SourceRun): Promise<Known> => {
  const known = await ports.runs.documents(open)
  const ids = [...known.values()].map(({ id }) => id)
  return { known, catalog: await ports.runs.states(open.tenant, ids) }
}

const keptWords = (gone: number, of: number): string =>
  `${gone} of ${of} ${of === 1 ? 'document is' : 'documents are'} not at the source any more. ${of === 1 ? 'It was' : 'They were'} kept, in case the source is the wrong one or not all there: look at its settings. If ${gone === 1 ? 'it is' : 'they are'} to go, run it again and confirm the removal.`
const partialWords = (why: string): string => `${why} So nothing was removed.`

const removeAll = async (run: SourceRun, gone: readonly string[]): Promise<void> => {
  begin(run.tally, 'remove', gone.length)
  await eachOf(gone, removedAtOnce, async (path) => {
    await removePath(run, path)
    run.tally.removed += 1
    run.tally.done += 1
  })
}

/** Imports the changed files. The access tags of existing documents are updated before new documents are imported. */
const bringAll = async (
  run: SourceRun,
  source: DocumentSource,
  { bring, retag }: Plan,
  moves: Moves,
): Promise<void> => {
  const { ports, open, tally } = run
  begin(tally, 'bring', bring.length + retag.length)
  const fresh = bring.filter(({ before }) => !before)
  const notes = fresh.map(({ item: { path } }) => [path, { id: idOf(run, path) }] as const)
  if (!(await ports.runs.noteDocuments(open, notes))) throw new LostSource()
  await eachOf(retag, filesAtOnce, async (one) => {
    await retagOne(run, source, one, moves)
    tally.done += 1
  })
  await eachOf(bring, filesAtOnce, async (coming) => {
    await bringOne(run, source, coming, moves)
    tally.done += 1
  })
}

const movesAmong = ({ mayHaveMoved }: Plan, known: Known['known']): Moves => {
  const from = new Map<string, string[]>()
  for (const path of mayHaveMoved) {
    const { digest = '' } = known.get(path) ?? {}
    from.set(digest, [...(from.get(digest) ?? []), path])
  }
  return { from, found: new Map() }
}

const tellUnchanged = (run: SourceRun, { unchanged }: Plan, catalog: Known['catalog']): void => {
  for (const { path } of unchanged) {
    const { status, error = '' } = catalog.get(idOf(run, path)) ?? {}
    if (status === 'failed') failFile(run.tally, path, error)
    else run.tally.became.set(path, 'unchanged')
  }
}

/**
 * Removes the documents of vanished files, and then imports new files. If a file may have moved, its old document is
 * removed only after the new path is known. If too many documents vanished, their removal needs a confirmation, because
 * this may be the wrong source.
 */
const bringUp = async (run: SourceRun, source: DocumentSource, { partial, ...list }: List): Promise<Ended> => {
  const { open } = run
  const { known, catalog } = await readKnown(run)
  const retryFailed = open.asked !== null
  const wanted = (path: string): string[] => tagsOf(open.source.access, path)
  const plan = planOf({ ...list, source: open.name, known, catalog, tagsOf: wanted, retryFailed })
  tellUnchanged(run, plan, catalog)
  const gone = partial === undefined ? plan.gone : []
  const held = await holdRemovals(run, { known, catalog }, gone, list.present)
  const first = gone.filter((path) => !held.has(path) && !plan.mayHaveMoved.has(path))
  await removeAll(run, first)
  const moves = movesAmong(plan, partial === undefined ? known : new Map())
  await bringAll(run, source, plan, moves)
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
  if (partial !== undefined) return { problem: partialWords(partial) }
  const toConfirm = [...held].filter((path) => !moved.has(path)).length
  return toConfirm > 0 ? { problem: keptWords(toConfirm, known.size), toConfirm } : {}
}

/** Makes the documents of a source match the source. Throws only if another run must continue the sync. */
export const syncSource = async (run: SourceRun): Promise<Ended> => {
  const { ports, open, signal } = run
  let source: DocumentSource | undefined
  try {
    source = await ports.openSource(open.source.settings, open.tenant)
    return await bringUp(run, source, await listAll(run, source))
  } catch (error) {
    if (endsRun(error, signal)) throw error
    ports.log.warn({ err: error, source: open.name, tenant: open.tenant }, 'a source was not brought up to date')
    return { problem: wordsOf(error) }
  } finally {
    await source?.close()
  }
}
