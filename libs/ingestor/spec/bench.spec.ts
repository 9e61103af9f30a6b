import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { acceptDocument, type DocumentContent } from '@plumbline/adapters/files/intake'
import { lexicalEmbedder } from '@plumbline/adapters/offline/lexical-embedder'
import { connectFailFast, whenReady } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import type { DocumentFields, DocumentView, Passage, Usage } from '@plumbline/contracts'
import { startPrivateRedis } from '@plumbline/platform'
import { Unfit } from '@plumbline/ports/document-parser'
import type { Embedder } from '@plumbline/ports/search-models'
import { memoryPassageIndex } from '@plumbline/ports/passage-index/memory-passage-index'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'
import { ingestDocument, type IngestOutcome } from '../ingest-document'
import type { IngestPorts } from '../work'

const never = new AbortController().signal
export const tenant = 't'
const scope = { tenant, collections: ['main'], filters: {}, access: 'all' as const }

/** A point at which a delivery hangs, as if its process was killed: before or after a port does its work. */
export type Point =
  | 'before fetch'
  | 'after fetch'
  | 'before parse'
  | 'after parse'
  | 'before embed'
  | 'after embed'
  | 'before write'
  | 'after write'
export type Still = { at: Point; after?: number; reached: Promise<void>; goOn(): void }

const usage: Usage = { calls: 1, tokensIn: 1, tokensOut: 0, cents: 0 }

/** Opens a real catalog, real files and an index. The parser returns Markdown unchanged. The web is a map of pages. */
export const openBench = async () => {
  const server = await startPrivateRedis()
  const dir = await mkdtemp(join(tmpdir(), 'plumbline-ingest-'))
  const redis = connectFailFast(server.url)
  await whenReady(redis, 5_000)
  const files = await openDocumentFiles(dir)
  const catalog = openCatalog(redis)
  const memory = memoryPassageIndex()
  const jobs: IngestJob[] = []
  const counts = { fetch: 0, parse: 0, embed: 0, texts: 0, write: 0, charged: 0 }
  const pages = new Map<string, string>()
  const faults: { parse?: Error | undefined; embed?: Error | undefined; fetch?: Error } = {}
  let still: (Still & { arrive(): void; wait: Promise<void>; left: number }) | undefined
  let embedderName = 'counted'

  const stand = async (point: Point): Promise<void> => {
    if (still?.at !== point || (still.left -= 1) >= 0) return
    const mine = still
    still = undefined
    mine.arrive()
    await mine.wait
  }
  const standStill = (at: Point, after = 0): Still => {
    const arrived = Promise.withResolvers<void>()
    const gone = Promise.withResolvers<void>()
    still = {
      at,
      left: after,
      reached: arrived.promise,
      arrive: arrived.resolve,
      wait: gone.promise,
      goOn: gone.resolve,
    }
    return still
  }
  const passing = async <T>(what: 'fetch' | 'parse' | 'embed' | 'write', work: () => Promise<T>): Promise<T> => {
    await stand(`before ${what}`)
    counts[what] += 1
    if (what !== 'write' && faults[what]) throw faults[what]
    const done = await work()
    await stand(`after ${what}`)
    return done
  }
  const index: PassageIndex = { ...memory, write: (...args) => passing('write', () => memory.write(...args)) }
  const embedder: Embedder = {
    get name() {
      return embedderName
    },
    dimensions: lexicalEmbedder.dimensions,
    embed: (texts, signal, onCall) =>
      passing('embed', async () => {
        counts.texts += texts.length
        onCall?.({ model: 'm', usage })
        return lexicalEmbedder.embed(texts, signal)
      }),
  }
  const ports: IngestPorts = {
    catalog: openIngestCatalog(redis),
    files,
    index,
    embedder,
    embedsLater: false,
    queue: { add: (job) => Promise.resolve(void jobs.push(job)) },
    parser: {
      parse: ({ path }, _signal, onPage) =>
        passing('parse', async () => {
          onPage?.(1, 2)
          const text = await readFile(path, 'utf8')
          if (text.includes('LOCKED'))
            throw new Unfit('encrypted', 'It is locked. Unlock it and send it again.', { page: 3 })
          return { markup: 'markdown' as const, parts: [{ page: 1, text }], pages: 1 }
        }),
    },
    fetch: (url) =>
      passing('fetch', () => {
        const content = Readable.from([Buffer.from(pages.get(url) ?? '')])
        return Promise.resolve({ name: 'page.md', url, fetchedAt: 1, content, close: () => Promise.resolve() })
      }),
    charge: () => void (counts.charged += 1),
    // Each delivery of a spec acts as a separate process, so index writes run in parallel here.
    alone: (work) => work(),
    inBackground: (_, work, signal) => work(signal),
  }
  const ingest = ingestDocument(ports)
  const send = async (
    brought: DocumentContent | string,
    fields: Partial<DocumentFields> = {},
  ): Promise<DocumentView & { taken: string }> =>
    acceptDocument(
      { catalog, files, queue: ports.queue },
      tenant,
      { collection: 'main', ...fields },
      typeof brought === 'string' ? { kind: 'text', text: brought } : brought,
      { signal: never },
    )
  return {
    catalog,
    files,
    ports,
    jobs,
    counts,
    pages,
    faults,
    redis,
    dir,
    memory,
    standStill,
    send,
    deliver: (job: IngestJob | undefined, again = false): Promise<IngestOutcome> => {
      if (!job) throw new Error('no job was queued')
      return ingest({ ...job, again, isolated: true }, never)
    },
    view: (id: string): Promise<DocumentView | null> => catalog.document(tenant, id),
    passages: (id: string): Promise<Passage[]> => memory.passages(scope, id, null, never),
    use: (name: string): void => void (embedderName = name),
    close: async (): Promise<void> => {
      redis.disconnect()
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
export type Bench = Awaited<ReturnType<typeof openBench>>
