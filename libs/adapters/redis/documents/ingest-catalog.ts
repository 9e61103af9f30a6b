import { randomUUID } from 'node:crypto'
import type { DocumentTask, DocumentWarning, VectorProgress } from '@plumbline/contracts'
import { versionOf } from './document'
import { parseDocument, viewOf, type DocumentHash, type KeptDocument } from './document'
import { keys } from '../client/keys'
import { openDocuments, type IngestJob } from './open-documents'
import { redisCollections } from './collections'
import { titleCounts, type TitleCount } from './titles'
import { throughCall, withStoreErrors } from '../client/errors'
import { withScripts, type RedisClient } from '../client/client'
import beginDocument from './lua/begin-document.lua'
import { recordNotices } from '../client/webhook-outbox'
import finishDocument from './lua/finish-document.lua'
import noteVectors from './lua/note-vectors.lua'
import progressDocument from './lua/progress-document.lua'

export type OpenDocument = {
  id: string
  tenant: string
  revision: string
  fence: string
  /**
   * A job delivery is one attempt to process the document. `starts` counts the job deliveries that did not report their
   * end. Each completed import step resets `starts` and `errors`.
   */
  starts: number
  errors: number
  document: KeptDocument
  /** The name that is displayed until the title inside the document is known. */
  title: string
  version: string
  served: { revision: string; version: string } | null
  /** The `traceparent` of the request that added the document, or '' if it is unknown. */
  trace: string
  acceptedAt: number
}
/** `suspect`: an earlier job delivery never reported its end, so the document must be processed in isolation. */
type BeginResult = { kind: 'gone' | 'stale' | 'closed' | 'suspect' } | { kind: 'open'; open: OpenDocument }
type Finished = { kind: 'gone' | 'stale' | 'fenced' | 'again' } | { kind: 'done'; before: string | null }
export type DocumentUpdate = Partial<{
  task: DocumentTask
  passages: number
  percent: number
  pages: number
  ofPages: number
  title: string
  ownMetadata: Readonly<Record<string, string>>
  notes: string[]
  warnings: DocumentWarning[]
  vectors: VectorProgress
  starts: number
  errors: number
}>
export type Failure = { error: string; problem: { code: string; page?: number } }

const text = (value: unknown): string | number =>
  typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value)
const flat = (record: object): (string | number)[] =>
  Object.entries(record).flatMap(([field, value]) => (value === undefined ? [] : [field, text(value)]))

const openOf = (id: string, fence: string, held: DocumentHash): OpenDocument => {
  const { tenant = '', revision = '', version = '', served, servedVersion = '', trace = '' } = held
  const document = parseDocument(held)
  const title = viewOf(id, tenant, held)?.title ?? ''
  return {
    id,
    tenant,
    revision,
    fence,
    starts: Number(held.starts),
    errors: Number(held.errors ?? 0),
    document,
    title,
    version,
    served: served ? { revision: served, version: servedVersion } : null,
    trace,
    acceptedAt: acceptedAtOf(held),
  }
}

const fieldsOf = (pairs: string[]): DocumentHash =>
  Object.fromEntries(pairs.flatMap((field, at) => (at % 2 === 0 ? [[field, pairs[at + 1] ?? '']] : [])))

export type FileState = {
  tenant: string
  newest: string
  served: string | null
  acceptedAt: number
  document: KeptDocument
}

/** A document from an earlier release has no `acceptedAt`, only its creation time. */
const acceptedAtOf = ({ acceptedAt, createdAt }: DocumentHash): number => Number(acceptedAt ?? createdAt ?? 0)

const filesOf = (redis: RedisClient) => ({
  tenantOf: (id: string): Promise<string | null> => redis.hget(keys.document(id), 'tenant'),
  fileState: async (id: string): Promise<FileState | null> => {
    const held = await redis.hgetall(keys.document(id))
    const { tenant, revision, served } = held
    if (!tenant || !revision) return null
    const document = parseDocument(held)
    return { tenant, newest: revision, served: served ?? null, acceptedAt: acceptedAtOf(held), document }
  },
  needed: async (id: string): Promise<string[]> =>
    (await redis.hmget(keys.document(id), 'revision', 'served')).filter((revision) => revision !== null),
})

const namesOf = (redis: RedisClient, collections: ReturnType<typeof redisCollections>) => {
  const titles = titleCounts(redis)
  return {
    noteHeadings: ({ id, tenant, document }: OpenDocument, title: string, headings: string[]): Promise<void> =>
      collections.noteHeadings(tenant, document, id, title, headings),
    /** Call this before the document is indexed, because the result determines the title that is indexed. */
    noteTitle: ({ id, tenant, document }: OpenDocument, title: string, hasFile: boolean): Promise<TitleCount> =>
      titles.noteTitle(tenant, document, id, { title, hasFile }),
    dropNames: async ({ id, tenant, document: { collection } }: OpenDocument): Promise<void> => {
      await redis.hdel(keys.headings(tenant, collection), id)
      await titles.dropTitle(tenant, collection, id)
    },
  }
}

const vectorsOf = (redis: RedisClient, collections: ReturnType<typeof redisCollections>) => {
  const { documentVectors } = withScripts(redis, { documentVectors: { lua: noteVectors, numberOfKeys: 1 } })
  return {
    claimEmbedder: collections.claimEmbedder,
    useEmbedder: collections.useEmbedder,
    /** `vectors` is null once all passages have a vector. */
    noteVectors: async (id: string, version: string, vectors: VectorProgress | null): Promise<void> =>
      void (await documentVectors(keys.document(id), version, vectors ? JSON.stringify(vectors) : '')),
  }
}

/**
 * A job delivery is one attempt to process a document. It owns the document from its call of `begin` until another
 * delivery calls `begin`.
 */
export const openIngestCatalog = (redis: RedisClient) => {
  const scripts = withScripts(redis, {
    documentBegin: { lua: beginDocument, numberOfKeys: 1 },
    documentProgress: { lua: progressDocument, numberOfKeys: 1 },
    documentFinish: { lua: finishDocument, numberOfKeys: 1 },
  })
  const { forget, requeue, jobOf, dueQueue } = openDocuments(redis)
  const notice = recordNotices(redis)
  const collections = redisCollections(redis)
  const { dropNames, ...names } = namesOf(redis, collections)
  const write = async ({ id, fence }: OpenDocument, fields: object): Promise<boolean> =>
    (await scripts.documentProgress(keys.document(id), fence, Date.now(), ...flat(fields))) === 1

  return throughCall(withStoreErrors, {
    ...dueQueue,
    jobOf,
    ...vectorsOf(redis, collections),
    begin: async (id: string, revision: string, where: { isolated: boolean }): Promise<BeginResult> => {
      const fence = randomUUID()
      const reply = await scripts.documentBegin(keys.document(id), revision, fence, Date.now(), where.isolated ? 1 : 0)
      const [kind, ...pairs] = reply as [BeginResult['kind'], ...string[]]
      return kind === 'open' ? { kind, open: openOf(id, fence, fieldsOf(pairs)) } : { kind }
    },
    collection: collections.indexing,
    progress: (open: OpenDocument, noted: DocumentUpdate): Promise<boolean> => write(open, noted),
    /** Stores the digest of the content. Returns the new version, or null if another job delivery owns the document. */
    fetched: async (open: OpenDocument, digest: string): Promise<string | null> => {
      const [asked, chunking] = await Promise.all([
        redis.hget(keys.document(open.id), 'asked'),
        collections.chunking(open.tenant, open.document.collection),
      ])
      const version = versionOf(digest, asked ?? '', chunking)
      return (await write(open, { digest, version })) ? version : null
    },
    fail: async (open: OpenDocument, failure: Failure & DocumentUpdate): Promise<boolean> => {
      if (!(await write(open, { status: 'failed', ...failure }))) return false
      if (!open.served) await dropNames(open)
      await forget(open.id, open.tenant)
      return true
    },
    /**
     * Marks the document as indexed. Before that, increases the collection's change count, so that cached results
     * become invalid.
     */
    finish: async ({ id, tenant, revision, fence, document }: OpenDocument, passages: number): Promise<Finished> => {
      await collections.changed(tenant, document.collection)
      const reply = await notice(tenant, id, () =>
        scripts.documentFinish(keys.document(id), revision, fence, passages, Date.now()),
      )
      const [kind, before] = reply as [Finished['kind'], string?]
      if (kind !== 'done') return { kind }
      await forget(id, tenant)
      return { kind, before: before || null }
    },
    /** Queues an indexed document again. Use this if an earlier job delivery may have written to the index last. */
    reopen: (tenant: string, id: string): Promise<IngestJob | null> => requeue(tenant, id, 'indexed'),
    ...names,
    ...filesOf(redis),
  })
}
export type IngestCatalog = ReturnType<typeof openIngestCatalog>
