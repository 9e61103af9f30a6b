import type { CollectionView, ParsedDocument, Passage } from '@plumbline/contracts'
import { chunk } from '@plumbline/knowledge/chunking'
import { Unfit } from '@plumbline/ports/document-parser'
import { note, percentAfter, Refused, type Work } from './work'

const mostPassages = 50_000
/** All vectors of a document stand in memory while the index takes them. */
const mostVectorBytes = 300_000_000

const fileOf = ({ document: { name, source } }: Work['open']): Partial<Passage> => {
  if (source?.kind === 'url') return { url: source.url }
  const file = name ?? (source?.kind === 'file' ? source.file : undefined)
  return file === undefined ? {} : { file }
}

const checkSize = (count: number, dimensions: number): void => {
  if (count === 0)
    throw new Unfit('no-text', 'The document holds no text besides headings. Send one with some text in it.')
  const most = Math.min(mostPassages, Math.floor(mostVectorBytes / (4 * dimensions)))
  if (count > most)
    throw new Unfit(
      'too-large',
      `The document makes ${count} passages; ${most} is the most. Split it into several documents.`,
    )
}

/** The same document, cut in the same way, gives the same passages: nothing of this has to be kept. */
export const cut = async (
  work: Work,
  parsed: ParsedDocument,
  version: string,
  settings: Pick<CollectionView, 'chunking' | 'embedder'> | null,
): Promise<Passage[]> => {
  const { ports, open } = work
  const { embedder } = ports
  const { collection, title, date, supersedes } = open.document
  if (settings?.embedder !== undefined && settings.embedder !== embedder.name)
    throw new Refused(
      'collection.other-embedder',
      `The collection ${collection} was embedded by ${settings.embedder}, and ${embedder.name} is set now: their vectors cannot stand side by side. Re-index the collection, or set the model back, and retry.`,
    )
  await note(work, { task: 'chunk' })
  const source = {
    id: open.id,
    collection,
    title: title ?? parsed.title ?? open.title,
    version,
    ...fileOf(open),
    ...(date && { date }),
    ...(supersedes && { supersedes }),
  }
  const passages = chunk(source, parsed, settings?.chunking)
  checkSize(passages.length, embedder.dimensions)
  await note(work, { passages: passages.length, percent: percentAfter.chunk })
  return passages
}
