import { createReadStream } from 'node:fs'
import type { Received } from '@plumbline/adapters/files/document-files'
import { intakeDefaults, takeDocument } from '@plumbline/adapters/files/intake'
import type { SourceDocument } from '@plumbline/adapters/redis'
import { formatOfName, type ParsedDocument } from '@plumbline/contracts'
import type { DocumentSource, SourceItem } from '@plumbline/ports/document-source'
import { tagsOf } from './access-rules'
import type { Coming } from './plan'
import { removePath } from './remove-path'
import { endsRun, failFile, idOf, LostSource, nameOf, type SourceRun, wordsOf } from './source-run'

const noted = async ({ ports, open }: SourceRun, path: string, document: SourceDocument): Promise<void> => {
  if (!(await ports.runs.noteDocuments(open, [[path, document]]))) throw new LostSource()
}

/** What was read of the same bytes before, as this source's document. */
const readBefore = async (
  { ports, open }: SourceRun,
  path: string,
  before: { path: string; id: string },
  digest: string,
): Promise<ParsedDocument | null> => {
  const { catalog, files } = ports
  const revisions = await catalog.revisions(open.tenant, before.id)
  if (!revisions || formatOfName(before.path) !== formatOfName(path)) return null
  const original = await files.original(before.id, revisions.newest)
  return original?.digest === digest ? files.parsed(before.id, revisions.newest) : null
}

type Bytes = { received: Received; mediaType?: string }

/** Takes the bytes in as an upload is taken in, and notes that this is what the source has. */
const take = async (
  run: SourceRun,
  { path, version, title, url }: SourceItem,
  { received, mediaType }: Bytes,
  parsed: ParsedDocument | null,
): Promise<'new' | 'replaces' | 'unchanged'> => {
  const { ports, open, signal } = run
  const { name: source, run: number } = open
  const { collection, access: rules } = open.source
  const access = tagsOf(rules, path)
  const format = formatOfName(path)
  const { id, taken } = await takeDocument(
    ports,
    open.tenant,
    { name: nameOf(run, path), collection, access, ...(title && { title }), ...(format && { format }) },
    { kind: 'file', file: path, received, parsed, ...(mediaType && { mediaType }), ...(url && { url }) },
    { signal, owner: { source, path, run: number } },
  )
  await noted(run, path, { id, version, digest: received.digest, access })
  return taken
}

const receive = async (
  { ports, signal }: SourceRun,
  content: AsyncIterable<Uint8Array>,
  use: (received: Received) => Promise<void>,
): Promise<void> => {
  const received = await ports.files.receive(content, { bytes: intakeDefaults.mostBytes }, signal)
  try {
    await use(received)
  } finally {
    await received.discard()
  }
}

export type Reader = Pick<DocumentSource, 'read'>

const bring = async (run: SourceRun, source: Reader, coming: Coming): Promise<void> => {
  const { item, as, before, movedFrom } = coming
  const read = await source.read(item, run.signal)
  // It went since it was listed: the next run removes it.
  if (!read) return
  await receive(run, read.content, async (received) => {
    if (received.bytes === 0) {
      run.tally.became.set(item.path, 'skipped')
      return removePath(run, item.path)
    }
    const known = movedFrom === undefined ? item.path : movedFrom
    const parsed = await readBefore(run, item.path, { path: known, id: idOf(run, known) }, received.digest)
    const taken = await take(run, item, { received, ...(read.mediaType && { mediaType: read.mediaType }) }, parsed)
    const isSame = taken === 'unchanged' && before !== undefined
    run.tally.became.set(item.path, isSame ? 'unchanged' : as === 'moved' && !parsed ? 'added' : as)
  })
}

/** One file comes, or says why not: it does not keep the others. */
export const bringOne = async (run: SourceRun, source: Reader, coming: Coming): Promise<void> => {
  try {
    await bring(run, source, coming)
  } catch (error) {
    if (endsRun(error, run.signal)) throw error
    failFile(run.tally, coming.item.path, wordsOf(error))
  }
}

/** The same content for others: nothing is fetched or parsed where its bytes are still here. */
export const retagOne = async (run: SourceRun, source: Reader, item: SourceItem, before: SourceDocument): Promise<void> => {
  const { ports, open } = run
  const revisions = await ports.catalog.revisions(open.tenant, before.id)
  const original = revisions && (await ports.files.original(before.id, revisions.newest))
  if (!original || original.digest !== before.digest) return bringOne(run, source, { item, as: 'changed', before })
  try {
    const parsed = await ports.files.parsed(before.id, revisions.newest)
    await receive(run, createReadStream(original.path), async (received) => {
      const mediaType = original.mediaType
      await take(run, item, { received, ...(mediaType && { mediaType }) }, parsed)
      run.tally.became.set(item.path, 'changed')
    })
  } catch (error) {
    if (endsRun(error, run.signal)) throw error
    failFile(run.tally, item.path, wordsOf(error))
  }
}
