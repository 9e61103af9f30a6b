import type { CollectionView, NewDocument, Passage, Usage } from '@plumbline/contracts'
import { chunk, headed } from '@plumbline/knowledge/chunking'
import { AppError, retryOf } from '@plumbline/platform'
import type { Embedder } from '@plumbline/ports/embedder'
import type { IndexedPassage, PassageIndex } from '@plumbline/ports/passage-index'

type Progress = { passages: number; percent: number; error?: string }

/** The part of the catalog that ingestion needs. */
export type IngestCatalog = {
  source(documentId: string): Promise<{ tenant: string; document: NewDocument } | null>
  collection(tenant: string, name: string): Promise<Pick<CollectionView, 'chunking'> | null>
  /** False when the document was removed meanwhile. */
  progress(documentId: string, status: 'processing' | 'indexed' | 'failed', progress: Progress): Promise<boolean>
  noteHeadings(tenant: string, collection: string, documentId: string, titles: string[]): Promise<void>
}
export type IngestPorts = {
  catalog: IngestCatalog
  index: PassageIndex
  embedder: Embedder
  /** Told what embedding a document cost its tenant, call by call. */
  charge?: (document: { id: string; tenant: string }, usage: Usage) => void
}
export type Ingested = 'indexed' | 'failed' | 'gone'

const ingestDefaults = { embedAtOnce: 32, mostPassages: 50_000, percent: { cut: 5, embedded: 90 } }

/** Why a document cannot be indexed, in words for whoever brought it. */
class Unfit extends AppError {
  constructor(readonly words: string) {
    super('document.unfit', 'never')
  }
}

const cut = (id: string, document: NewDocument, settings: Pick<CollectionView, 'chunking'> | null): Passage[] => {
  const { collection, title = '', text = '', format } = document
  const passages = chunk({ id, collection, title }, { markup: format === 'text' ? 'text' : 'markdown', parts: [{ text }] }, settings?.chunking)
  if (passages.length === 0) throw new Unfit('The document holds no text besides headings. Send one with some text in it.')
  const { mostPassages } = ingestDefaults
  if (passages.length > mostPassages) throw new Unfit(`The document makes ${passages.length} passages; ${mostPassages} is the most. Split it into several documents.`)
  return passages
}

const embedAll = async (
  { embedder, charge }: IngestPorts,
  owner: { id: string; tenant: string },
  passages: Passage[],
  onProgress: (percent: number) => Promise<boolean>,
  signal: AbortSignal,
): Promise<IndexedPassage[] | null> => {
  const { embedAtOnce, percent } = ingestDefaults
  const done: IndexedPassage[] = []
  for (let at = 0; at < passages.length; at += embedAtOnce) {
    const batch = passages.slice(at, at + embedAtOnce)
    const vectors = await embedder.embed(batch.map(headed), signal, ({ usage }) => charge?.(owner, usage))
    batch.forEach((passage, nth) => {
      const vector = vectors[nth]
      if (!vector) throw new AppError('embedder.short', 'later')
      done.push({ passage, vector })
    })
    const share = Math.round(percent.cut + ((percent.embedded - percent.cut) * done.length) / passages.length)
    if (!(await onProgress(share))) return null
  }
  return done
}

const index = async (ports: IngestPorts, id: string, tenant: string, document: NewDocument, signal: AbortSignal): Promise<Ingested> => {
  const { catalog } = ports
  const { collection, metadata } = document
  const passages = cut(id, document, await catalog.collection(tenant, collection))
  const at = (percent: number) => ({ passages: passages.length, percent })
  const embedded = await embedAll(ports, { id, tenant }, passages, (percent) => catalog.progress(id, 'processing', at(percent)), signal)
  if (!embedded) return 'gone'
  await ports.index.write(tenant, { id, collection, version: '1', metadata: metadata ?? {}, access: document.access ?? [], space: ports.embedder.name }, embedded, signal)
  await catalog.noteHeadings(tenant, collection, id, [...new Set(passages.flatMap(({ headingPath }) => headingPath))])
  if (await catalog.progress(id, 'indexed', at(100))) return 'indexed'
  await ports.index.remove(tenant, id, signal)
  return 'gone'
}

/** Cuts, embeds and indexes one document of the catalog. Doing it again changes nothing; a document that cannot be indexed says why. */
export const ingestDocument =
  (ports: IngestPorts) =>
  async (documentId: string, signal: AbortSignal): Promise<Ingested> => {
    const held = await ports.catalog.source(documentId)
    if (!held) return 'gone'
    try {
      return await index(ports, documentId, held.tenant, held.document, signal)
    } catch (error) {
      if (signal.aborted || retryOf(error) !== 'never') throw error
      await ports.catalog.progress(documentId, 'failed', { passages: 0, percent: 0, error: error instanceof Unfit ? error.words : 'The document could not be indexed. Send it again, or ask whoever runs the system.' })
      return 'failed'
    }
  }
