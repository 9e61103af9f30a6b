import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import {
  cleanName,
  type CollectionView,
  fileNameOf,
  type ParsedDocument,
  type Passage,
  titleBesideFile,
} from '@plumbline/contracts'
import { chunk } from '@plumbline/knowledge/chunking/chunk'
import { withHeading } from '@plumbline/knowledge/chunking/chunk'
import { oneLine, sentences } from '@plumbline/knowledge/text'
import { AppError } from '@plumbline/platform'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Embedder } from '@plumbline/ports/search-models'
import type { IndexedPassage } from '@plumbline/ports/passage-index/passage-index'
import { interpolate, DocumentRefused, note, noteDone, percentAfter, rest, type Work, writeNotes } from './work'

const mostPassages = 50_000
/** Limits the size of all vectors of one document, because they are all in memory while the index is written. */
const mostVectorBytes = 300_000_000

const fileOf = ({ document }: Work['open']): Partial<Passage> => {
  if (document.source?.kind === 'url') return { url: document.source.url }
  const file = fileNameOf(document)
  return file === undefined ? {} : { file }
}

const checkSize = (count: number, dimensions: number): void => {
  if (count === 0)
    throw new Unfit('no-text', 'The document contains only headings. Upload a document that also contains text.')
  const most = Math.min(mostPassages, Math.floor(mostVectorBytes / (4 * dimensions)))
  if (count > most)
    throw new Unfit(
      'too-large',
      `The document has ${count} passages; at most ${most} are allowed. Split it into several documents.`,
    )
}

/**
 * Returns the title of a document. If several documents share the title, adds the file name. If another document with
 * this title was indexed without its file name, queues that document again.
 */
const titleOf = async ({ ports, open }: Work, parsed: ParsedDocument): Promise<string> => {
  const title = open.document.title ?? parsed.title ?? open.title
  const { file } = fileOf(open)
  const { isShared, again } = await ports.catalog.noteTitle(open, title, file !== undefined)
  const job = again && (await ports.catalog.reopen(open.tenant, again))
  if (job) await ports.queue.add(job, 1)
  return isShared && file !== undefined ? titleBesideFile(title, file) : title
}

/** Returns whether the index already has this content (version), from an earlier upload (revision) of the document. */
export const isServed = ({ served, revision }: Work['open'], version: string): boolean =>
  served !== null && served.revision !== revision && served.version === version

/** Splits a document into passages. They are not stored before indexing, because each attempt can recompute them. */
export const splitIntoPassages = async (
  work: Work,
  parsed: ParsedDocument,
  version: string,
  settings: Pick<CollectionView, 'chunking' | 'embedder'> | null,
): Promise<Passage[]> => {
  const { ports, open } = work
  const { embedder, index, embedsLater } = ports
  const { collection, date, supersedes, metadata } = open.document
  const authority = cleanName({ ...parsed.metadata, ...metadata }['authority'] ?? '')
  if (!index.laterVectors && settings?.embedder !== undefined && settings.embedder !== embedder.name)
    throw new DocumentRefused(
      'collection.other-embedder',
      `The collection ${collection} was embedded by ${settings.embedder}, but ${embedder.name} is configured now. Vectors of different models cannot be compared. Re-index the collection, or configure the previous model again, then retry.`,
    )
  await note(work, { task: 'chunk' })
  const source = {
    id: open.id,
    collection,
    title: await titleOf(work, parsed),
    version,
    ...fileOf(open),
    ...(date && { date }),
    ...(authority && { authority }),
    ...(supersedes && { supersedes }),
  }
  const passages = chunk(source, parsed, settings?.chunking)
  checkSize(passages.length, embedder.dimensions)
  const vectors = embedsLater && !isServed(open, version) && { vectors: { done: 0, of: passages.length } }
  await note(work, { passages: passages.length, percent: percentAfter.chunk, ...vectors })
  return passages
}

export const embedBatchSize = 32

type Batch = { nth: number; passages: Passage[]; of: { space: string; texts: string[] } }

function* batchesOf(passages: readonly Passage[], space: string): Generator<Batch> {
  for (let nth = 0; nth * embedBatchSize < passages.length; nth += 1) {
    const own = passages.slice(nth * embedBatchSize, (nth + 1) * embedBatchSize)
    yield { nth, passages: own, of: { space, texts: own.map(withHeading) } }
  }
}

const embedBatch = async ({ ports, open, signal }: Work, { nth, of }: Batch): Promise<void> => {
  const { embedder, charge, files } = ports
  const vectors = await embedder.embed(of.texts, signal, ({ usage }) => charge?.(open, usage))
  if (vectors.length !== of.texts.length) throw new AppError('embedder.short', 'later')
  await files.putVectors(open, nth, of, vectors)
}

/** Lexical vectors are computed from words, without a model. They are not stored, because computing them is faster. */
const isLexical = ({ name }: Embedder): boolean => name === lexicalEmbedder.name

/**
 * Computes and stores the vectors of all passages. Skips batches that an earlier attempt has stored, so that no call of
 * an embedding provider is paid for twice.
 */
export const embedPassages = async (work: Work, passages: readonly Passage[]): Promise<void> => {
  const { ports, open } = work
  if (isLexical(ports.embedder)) return
  await note(work, { task: 'embed' })
  for (const batch of batchesOf(passages, ports.embedder.name)) {
    if (await ports.files.vectors(open, batch.nth, batch.of)) continue
    await rest(work)
    await embedBatch(work, batch)
    const done = Math.min((batch.nth + 1) * embedBatchSize, passages.length)
    await noteDone(work, { percent: interpolate(percentAfter.chunk, percentAfter.embed, done / passages.length) })
  }
}

const noVector = new Float32Array()

const vectorsOf = async (work: Work, { nth, of }: Batch): Promise<Float32Array[] | null> => {
  const { ports, open, signal } = work
  if (!isLexical(ports.embedder)) return ports.files.vectors(open, nth, of)
  if (nth > 0) await rest(work)
  return ports.embedder.embed(of.texts, signal)
}

const withVectors = async (work: Work, passages: readonly Passage[]): Promise<IndexedPassage[]> => {
  const { ports } = work
  if (ports.embedsLater) return passages.map((passage) => ({ passage, vector: noVector }))
  const indexed: IndexedPassage[] = []
  for (const batch of batchesOf(passages, ports.embedder.name)) {
    const vectors = await vectorsOf(work, batch)
    batch.passages.forEach((passage, at) => {
      const vector = vectors?.[at]
      if (!vector) throw new AppError('document.vectors-lost', 'later')
      indexed.push({ passage, vector })
    })
  }
  return indexed
}

/** Captions of tables are stored together with the headings, because people also search for captions. */
const captionsIn = ({ tables = [] }: Passage): string[] =>
  tables.flatMap(({ caption = '' }) => (/^(?:table|tab\.|exhibit)\s+[\dA-Z]/i.test(caption) ? [caption] : []))

const longestTopic = 100

/** The topic of a document without headings: the columns of its first table, or its first sentence. */
const topicOf = (first: Passage | undefined): string[] => {
  const columns = first?.tables?.find(({ line }) => line === 0)?.header.at(-1)
  const sentence = sentences(first?.text ?? '').find((one) => /\p{L}/u.test(one)) ?? ''
  const topic = oneLine(columns?.join(', ') ?? sentence)
  return topic === '' ? [] : [topic.length > longestTopic ? `${topic.slice(0, longestTopic)} …` : topic]
}

/** Replaces the indexed version of a document in one step. Before this step, questions find the previous version. */
export const indexPassages = async (
  work: Work,
  passages: readonly Passage[],
  version: string,
  own: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const { ports, open, signal } = work
  const { id, tenant, document } = open
  const { collection, access = [] } = document
  const metadata = { ...own, ...document.metadata }
  const space = ports.embedder.name
  const holder = await ports.catalog.claimEmbedder(tenant, collection, space)
  if (holder !== space && !ports.index.laterVectors)
    throw new DocumentRefused(
      'collection.other-embedder',
      `The collection ${collection} was embedded by ${holder} in the meantime. Re-index the collection, or configure that model again, then retry.`,
    )
  const write = async (): Promise<void> => {
    await note(work, { task: 'index' })
    // This write fails if a newer job delivery owns the document. That delivery may have removed the vectors.
    await writeNotes(work)
    const indexed = await withVectors(work, passages)
    await ports.index.write(tenant, { id, collection, version, metadata, access, space }, indexed, signal)
  }
  // Long documents are written one at a time. Short documents are written concurrently, so that they can share one
  // commit of the index.
  await (passages.length > embedBatchSize ? ports.alone(write, signal) : write())
  const headings = [...new Set(passages.flatMap((passage) => [...passage.headingPath, ...captionsIn(passage)]))]
  const title = passages[0]?.title ?? open.title
  await ports.catalog.noteHeadings(open, title, headings.some((one) => one !== title) ? headings : topicOf(passages[0]))
}
