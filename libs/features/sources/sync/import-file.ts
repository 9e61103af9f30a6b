import { createReadStream } from 'node:fs'
import type { ReceivedFile } from '@plumbline/adapters/files/document-files'
import { acceptDocument, intakeDefaults } from '@plumbline/adapters/files/intake'
import type { SourceDocument } from '../store/source-documents'
import { formatOfName, type ParsedDocument } from '@plumbline/contracts'
import type { DocumentSource, SourceItem } from '@plumbline/ports/document-source'
import { tagsOf } from './plan/access-rules'
import type { FileToImport, Plan } from './plan/plan'
import { removePath } from './removal/remove-path'
import { documentId, documentName, endsRun, failFile, failureText, LostSource, type SourceRun } from './run/source-run'

const noteDocument = async ({ ports, open }: SourceRun, path: string, document: SourceDocument): Promise<void> => {
  if (!(await ports.runs.noteDocuments(open, [[path, document]]))) throw new LostSource()
}

const parsedBefore = async (
  { ports, open }: SourceRun,
  path: string,
  before: string,
  digest: string,
): Promise<ParsedDocument | null> => {
  const { catalog, files } = ports
  const id = documentId({ open }, before)
  const revisions = await catalog.revisions(open.tenant, id)
  if (!revisions || formatOfName(before) !== formatOfName(path)) return null
  const of = { tenant: open.tenant, id, revision: revisions.newest }
  const original = await files.original(of)
  return original?.digest === digest ? files.parsed(of) : null
}

type ReceivedBytes = { received: ReceivedFile; mediaType?: string }

const storeBytes = async (
  run: SourceRun,
  { path, version, title, url }: SourceItem,
  { received, mediaType }: ReceivedBytes,
  parsed: ParsedDocument | null,
): Promise<'new' | 'replaces' | 'unchanged'> => {
  const { ports, open, signal } = run
  const { name: source, run: number } = open
  const { collection, access: rules } = open.source
  const access = tagsOf(rules, path)
  const format = formatOfName(path)
  const { id, taken } = await acceptDocument(
    ports,
    open.tenant,
    { name: documentName(run, path), collection, access, ...(title && { title }), ...(format && { format }) },
    { kind: 'file', file: path, received, parsed, ...(mediaType && { mediaType }), ...(url && { url }) },
    { signal, owner: { source, path, run: number } },
  )
  await noteDocument(run, path, { id, version, digest: received.digest, bytes: received.bytes, access })
  return taken
}

const receive = async (
  { ports, signal }: SourceRun,
  content: AsyncIterable<Uint8Array>,
  use: (received: ReceivedFile) => Promise<void>,
): Promise<void> => {
  const received = await ports.files.receive(content, { bytes: intakeDefaults.mostBytes }, signal)
  try {
    await use(received)
  } finally {
    await received.discard()
  }
}

export type SourceReader = Pick<DocumentSource, 'read'>

/** `from`: the old paths of each content, by its digest. `found`: the old path of each moved file, by its new path. */
export type MovedFiles = { from: Map<string, string[]>; found: Map<string, string> }

const importItem = async (
  run: SourceRun,
  source: SourceReader,
  { item, before }: FileToImport,
  moves: MovedFiles,
): Promise<void> => {
  const { path } = item
  const read = await source.read(item, run.signal)
  // The source returns null if the file vanished after it was listed. The next run removes the document of this file.
  if (!read) return
  await receive(run, read.content, async (received) => {
    if (received.bytes === 0) {
      run.tally.outcomes.set(path, 'skipped')
      return removePath(run, path)
    }
    const movedFrom = before ? undefined : moves.from.get(received.digest)?.pop()
    const parsed = await parsedBefore(run, path, movedFrom ?? path, received.digest)
    const taken = await storeBytes(
      run,
      item,
      { received, ...(read.mediaType && { mediaType: read.mediaType }) },
      parsed,
    )
    if (movedFrom !== undefined) moves.found.set(path, movedFrom)
    const isSame = taken === 'unchanged' && before !== undefined
    run.tally.outcomes.set(
      path,
      isSame ? 'unchanged' : before ? 'changed' : movedFrom === undefined ? 'added' : 'moved',
    )
  })
}

export const importFile = async (
  run: SourceRun,
  source: SourceReader,
  file: FileToImport,
  moves: MovedFiles,
): Promise<void> => {
  try {
    await importItem(run, source, file, moves)
  } catch (error) {
    if (endsRun(error, run.signal)) throw error
    failFile(run.tally, file.item.path, failureText(error))
  }
}

/** Applies new access tags to a file. If its content is still stored, the file is neither fetched nor parsed again. */
export const retagFile = async (
  run: SourceRun,
  source: SourceReader,
  { item, before }: Plan['retag'][number],
  moves: MovedFiles,
): Promise<void> => {
  const { ports, open } = run
  const revisions = await ports.catalog.revisions(open.tenant, before.id)
  const of = revisions && { tenant: open.tenant, id: before.id, revision: revisions.newest }
  const original = of && (await ports.files.original(of))
  if (!original || original.digest !== before.digest) return importFile(run, source, { item, before }, moves)
  const takeAgain = async (path: string): Promise<true> => {
    const parsed = await ports.files.parsed(of)
    await receive(run, createReadStream(path), async (received) => {
      const mediaType = original.mediaType
      await storeBytes(run, item, { received, ...(mediaType && { mediaType }) }, parsed)
      run.tally.outcomes.set(item.path, 'changed')
    })
    return true
  }
  try {
    if (await ports.files.withOriginal(of, run.signal, takeAgain)) return
  } catch (error) {
    if (endsRun(error, run.signal)) throw error
    return failFile(run.tally, item.path, failureText(error))
  }
  return importFile(run, source, { item, before }, moves)
}
