import type { SourceDocument } from '../../store/source-documents'
import { needsConfirmation } from '../plan/plan'
import { LostSource, type SourceRun } from '../run/source-run'

type KnownDocuments = ReadonlyMap<string, SourceDocument>
type NotedDocument = readonly [path: string, document: SourceDocument]

const documentsAt = (known: KnownDocuments, paths: Iterable<string>): NotedDocument[] =>
  [...paths].flatMap((path) => {
    const document = known.get(path)
    return document ? [[path, document] as const] : []
  })

const note = async ({ ports, open }: SourceRun, noted: NotedDocument[]): Promise<void> => {
  if (noted.length > 0 && !(await ports.runs.noteDocuments(open, noted))) throw new LostSource()
}
const withMissing = ([path, document]: NotedDocument): NotedDocument => [path, { ...document, missing: true }]
const withoutMissing = ([path, { missing: _, ...document }]: NotedDocument): NotedDocument => [path, document]

/**
 * Marks the documents whose removal needs a confirmation. The marks must be stored before the import. Otherwise, if a
 * wrong folder is mounted, the next run would count its imported files as remaining and remove the vanished documents.
 */
export const holdRemovals = async (
  run: SourceRun,
  { known, catalog }: { known: KnownDocuments; catalog: { has(id: string): boolean } },
  gone: string[],
  present: ReadonlySet<string>,
): Promise<Set<string>> => {
  const marked = [...known].filter(([, { missing }]) => missing)
  await note(run, marked.filter(([path]) => present.has(path)).map(withoutMissing))
  if (run.open.asked?.confirmRemovals) return new Set()
  const held = needsConfirmation(gone, { known, catalog }) ? gone : gone.filter((path) => known.get(path)?.missing)
  await note(run, documentsAt(known, held).map(withMissing))
  return new Set(held)
}

/** Removes the mark `missing` from the documents of moved files, so that their removal needs no confirmation. */
export const releaseMoved = (run: SourceRun, known: KnownDocuments, moved: Iterable<string>): Promise<void> =>
  note(run, documentsAt(known, moved).map(withoutMissing))
