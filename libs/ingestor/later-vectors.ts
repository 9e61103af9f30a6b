import { setTimeout as sleep } from 'node:timers/promises'
import type { IngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { Usage } from '@plumbline/contracts'
import { withHeading } from '@plumbline/knowledge/chunking/chunk'
import { type Log, repeat, retryOf } from '@plumbline/platform'
import type { LaterVectors, PassageIndex, WithoutVectors } from '@plumbline/ports/passage-index/passage-index'
import type { Embedder } from '@plumbline/ports/search-models'
import type { Process } from '@plumbline/worker'

type Ports = {
  vectors: LaterVectors
  embedder: Embedder
  catalog: Pick<IngestCatalog, 'noteVectors' | 'useEmbedder'>
  charge(document: { id: string; tenant: string }, usage: Usage): void
  /** `workedMs` is the duration of the last batch. */
  yieldToQuestions(workedMs: number, signal: AbortSignal): Promise<void>
  process: { inFlight: Pick<Process['inFlight'], 'size' | 'questionTasks'> }
  log: Pick<Log, 'warn'>
}

const laterVectorsLimits = { everyMs: 1_000, afterFailureMs: 30_000 }

/**
 * If `batch` contains the last missing vectors of the collection, switches the collection to this embedder before these
 * vectors are written. After a crash in between, the next start writes them.
 */
const switchCollection = async (
  { vectors, embedder, catalog }: Ports,
  { tenant, collection, of }: WithoutVectors,
  signal: AbortSignal,
): Promise<void> => {
  const missing = await vectors.missing(embedder, { tenant, collection }, signal)
  if (missing <= of) await catalog.useEmbedder(tenant, collection, embedder.name)
}

type Embed = (texts: string[]) => Promise<Float32Array[]>
const shortestText = 64

/**
 * Embeds texts. If the embedding server refuses a long text, shortens this text, so that the other passages still get
 * their vectors.
 */
const embedOrShorten = async (embed: Embed, texts: string[]): Promise<Float32Array[]> => {
  try {
    return await embed(texts)
  } catch (error) {
    const [first = ''] = texts
    if (retryOf(error) !== 'never' || (texts.length === 1 && first.length <= shortestText)) throw error
    if (texts.length === 1) return embedOrShorten(embed, [first.slice(0, Math.ceil(first.length / 2))])
    const middle = Math.ceil(texts.length / 2)
    const before = await embedOrShorten(embed, texts.slice(0, middle))
    return [...before, ...(await embedOrShorten(embed, texts.slice(middle)))]
  }
}

const embedBatch = async (ports: Ports, batch: WithoutVectors, signal: AbortSignal): Promise<void> => {
  const { vectors, embedder, catalog, charge } = ports
  const { tenant, documentId, version, from, of, passages } = batch
  const began = performance.now()
  const texts = passages.map(({ passage }) => withHeading(passage))
  const embedded = await embedOrShorten(
    (some) => embedder.embed(some, signal, ({ usage }) => charge({ id: documentId, tenant }, usage)),
    texts,
  )
  const done = from + passages.length
  if (done >= of) await switchCollection(ports, batch, signal)
  await vectors.add(embedder, batch, embedded, signal)
  const msPerPassage = (performance.now() - began) / Math.max(1, passages.length)
  const secondsLeft = Math.ceil(((of - done) * msPerPassage) / 1_000)
  await catalog.noteVectors(documentId, version, done < of ? { done, of, secondsLeft } : null)
}

/**
 * While documents are indexed, each pause between two batches is five times as long as the last batch, but at most a
 * second. Indexing thus comes first.
 */
const restTimes = 5
const longestRestMs = 1_000

export const addVectorsLater = async (ports: Ports, signal: AbortSignal): Promise<void> => {
  for (;;) {
    const batch = await ports.vectors.next(ports.embedder, signal)
    if (!batch) return
    const began = performance.now()
    await embedBatch(ports, batch, signal)
    const workedMs = performance.now() - began
    await ports.yieldToQuestions(workedMs, signal)
    const { size, questionTasks } = ports.process.inFlight
    if (size > questionTasks) await sleep(Math.min(restTimes * workedMs, longestRestMs), undefined, { signal })
  }
}

export const startLaterVectors = ({
  index: { laterVectors: vectors },
  ...rest
}: Omit<Ports, 'vectors'> & { index: Pick<PassageIndex, 'laterVectors'> }): { stop(): Promise<void> } => {
  if (!vectors) return { stop: () => Promise.resolve() }
  const ports: Ports = { vectors, ...rest }
  const stopping = new AbortController()
  const look = async (): Promise<void> => {
    try {
      await addVectorsLater(ports, stopping.signal)
    } catch (error) {
      if (stopping.signal.aborted) return
      ports.log.warn(
        { err: error },
        'vectors not added: until the next try succeeds, searches find these documents only by their words',
      )
      await sleep(laterVectorsLimits.afterFailureMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }
  const looking = repeat(laterVectorsLimits.everyMs, look, () => undefined)
  return {
    stop: () => {
      stopping.abort()
      return looking.stop()
    },
  }
}
