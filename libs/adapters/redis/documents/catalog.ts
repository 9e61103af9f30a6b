import type { Chunking, DocumentList, DocumentOrigin, DocumentSource, DocumentView, Format } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { currentOrigin } from '@plumbline/platform/trace-scope'
import { mayRead, type Scope } from '@plumbline/ports/passage-index/passage-index'
import { type Page as PageOf, type Position, readPage, walk } from '../client/sorted-sets'
import {
  fieldsDigest,
  documentIdOf,
  type DocumentHash,
  parseDocument,
  type KeptDocument,
  type RequestedFields,
  versionOf,
  viewOf,
} from './document'
import { keys } from '../client/keys'
import { openDocuments, type IngestJob } from './open-documents'
import { redisCollections } from './collections'
import { titleCounts } from './titles'
import { throughCall, withStoreErrors } from '../client/errors'
import { withScripts, type RedisClient } from '../client/client'
import createDocument from './lua/create-document.lua'

type Status = DocumentView['status']
type Page = { collection?: string; status?: Status; words?: string; name?: string; sha256?: string } & Pick<
  PageOf<DocumentView>,
  'cursor' | 'limit'
>

/**
 * `run` is the number of the source's run that imports the document. The import is rejected if a later run has already
 * changed the document.
 */
export type Owner = DocumentOrigin & { run: number }
/** `digest` is the hash of the content, or null if the content is not fetched yet. */
type BroughtDocument = {
  told: RequestedFields
  source: DocumentSource
  digest: string | null
  owner?: Owner | undefined
}
type TakeOutcome = 'new' | 'replaces' | 'unchanged'
type Compared = { name: string; taken: TakeOutcome; document?: DocumentView }
/**
 * After a source run has changed a document, changes by earlier runs are rejected for this time. A process that hung
 * may still send such changes.
 */
const runCountsMs = 24 * 3_600_000
/**
 * The maximum number of documents to read for one page of a list. If few of them match, the page is short, and the next
 * page continues after them.
 */
const lookedThrough = 1_000
/**
 * Answers wait for documents that were added within `recentMs`. If there are more than `mostArriving` such documents,
 * answers do not wait.
 */
const recentMs = 30_000
const mostArriving = 20

const isCalled = ({ title, name = '' }: DocumentView, words: string): boolean => {
  const called = `${title}\n${name}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => called.includes(word))
}

type Readers = Pick<Scope, 'tenant' | 'collections' | 'access'>

const countOpen = async (document: Parts['document'], readers: Readers, ids: readonly string[]): Promise<number> => {
  const views = await Promise.all(ids.map((id) => document(readers.tenant, id)))
  return views.filter(
    (view) =>
      view &&
      (view.status === 'queued' || view.status === 'processing') &&
      readers.collections.includes(view.collection) &&
      mayRead(readers.access, view.access),
  ).length
}

const partsOf = (redis: RedisClient) => {
  const open = openDocuments(redis)
  const titles = titleCounts(redis)
  return {
    redis,
    open,
    collections: redisCollections(redis),
    document: async (tenant: string, id: string): Promise<DocumentView | null> =>
      viewOf(id, tenant, await redis.hgetall(keys.document(id))),
    unlist: async (tenant: string, id: string, collection: string): Promise<void> => {
      await Promise.all([
        redis.zrem(keys.documents(tenant), id),
        redis.zrem(keys.waiting(tenant), id),
        redis.zrem(keys.documentsOf(tenant, collection), id),
        redis.hdel(keys.headings(tenant, collection), id),
        redis.hdel(keys.tagged(tenant, collection), id),
      ])
      await titles.dropTitle(tenant, collection, id)
    },
    cutAgain: (tenant: string, id: string, { digest, asked }: DocumentHash, chunking: Chunking | undefined) =>
      open.requeue(tenant, id, '', digest && asked ? versionOf(digest, asked, chunking) : ''),
    async *listedIn(tenant: string, collection: string): AsyncGenerator<string[]> {
      for await (const piece of walk(redis, keys.documentsOf(tenant, collection), null, 100))
        yield piece.map(({ id }) => id)
    },
  }
}
type Parts = ReturnType<typeof partsOf>

const refusals: Record<string, 'document.taken' | 'document.owned' | 'document.fenced' | undefined> = {
  taken: 'document.taken',
  owned: 'document.owned',
  fenced: 'document.fenced',
}

const ownerArgs = (owner: Owner | undefined): (string | number)[] => [owner?.source ?? '', owner?.run ?? 0, runCountsMs]

const taking = ({ redis, open, collections, document, unlist }: Parts) => {
  const scripts = withScripts(redis, { documentCreate: { lua: createDocument, numberOfKeys: 2 } })
  return {
    /** Adds the document to the lists before and after storing it, in case it is removed at the same time. */
    createDocument: async (
      tenant: string,
      id: string,
      revision: string,
      { told, source, digest, owner }: BroughtDocument,
    ): Promise<{ view: DocumentView; taken: TakeOutcome }> => {
      const { collection } = told
      const now = Date.now()
      const lists = [keys.documents(tenant), keys.documentsOf(tenant, collection)]
      const list = () =>
        Promise.all([
          redis.hsetnx(keys.collections(tenant), collection, ''),
          ...lists.map((key) => redis.zadd(key, 'NX', now, id)),
        ])
      const kept: KeptDocument = {
        ...told,
        source,
        ...(owner && { from: { source: owner.source, path: owner.path } }),
      }
      const asked = fieldsDigest(told, source.kind === 'url' ? source.url : '')
      const [chunking] = await Promise.all([collections.chunking(tenant, collection), list(), open.list(tenant, id)])
      const version = digest === null ? '' : versionOf(digest, asked, chunking)
      const fields = [tenant, JSON.stringify(kept), revision, version, digest ?? '', asked, now]
      const args = [...fields, ...ownerArgs(owner), currentOrigin()?.traceparent ?? '']
      const taken = await scripts.documentCreate(keys.document(id), keys.documentRun(id), ...args)
      const refusal = refusals[String(taken)]
      if (refusal !== undefined) {
        // A document that existed before stays in the lists.
        if (await document(tenant, id)) await open.forget(id, tenant)
        else await unlist(tenant, id, collection)
        throw new AppError(refusal, 'never')
      }
      await Promise.all([list(), open.list(tenant, id)])
      const view = await document(tenant, id)
      if (!view) {
        await unlist(tenant, id, collection)
        throw new AppError('document.gone', 'later')
      }
      if (taken === 'new' || told.access?.length) await collections.noteHeadings(tenant, told, id, view.title, [])
      if (view.status === 'indexed') await open.forget(id, tenant)
      return { view, taken: taken as TakeOutcome }
    },
  }
}

const indexState = ({ redis }: Parts) => ({
  indexed: async (id: string): Promise<{ tenant: string; collection: string; revision: string; at: number } | null> => {
    const held = await redis.hmget(keys.document(id), 'tenant', 'served', 'status', 'updatedAt', 'document')
    const [tenant, revision, status, at, document] = held
    if (!tenant || !revision || !document || status !== 'indexed') return null
    return { tenant, collection: parseDocument({ document }).collection, revision, at: Number(at) }
  },
})

const reading = ({ redis, collections, document }: Parts) => ({
  compare: async (
    tenant: string,
    told: Omit<RequestedFields, 'name'>,
    files: { name: string; format: Format | undefined; digest: string }[],
  ): Promise<Compared[]> => {
    const { collection } = told
    const chunking = await collections.chunking(tenant, collection)
    return Promise.all(
      files.map(async ({ name, format, digest }) => {
        const view = await document(tenant, documentIdOf(tenant, collection, { name }))
        if (!view) return { name, taken: 'new' as const }
        const version = versionOf(digest, fieldsDigest({ ...told, format }, ''), chunking)
        const isSame = view.version === version && view.status !== 'failed'
        return { name, taken: isSame ? ('unchanged' as const) : ('replaces' as const), document: view }
      }),
    )
  },
  documents: async (tenant: string, { name, ...asked }: Page): Promise<DocumentList> => {
    const { collection, status, words, sha256, cursor, limit } = asked
    const wanted = (view: DocumentView): boolean =>
      (!status || view.status === status) && (!words || isCalled(view, words)) && (!sha256 || view.sha256 === sha256)
    if (name !== undefined) {
      // The id is computed from name and collection, so each collection has at most one document of this name.
      const collections = collection === undefined ? await redis.hkeys(keys.collections(tenant)) : [collection]
      const ids = collections.map((one) => documentIdOf(tenant, one, { name }))
      const views = await Promise.all(ids.map((id) => document(tenant, id)))
      return { items: views.filter((view) => view !== null).filter(wanted), next: null }
    }
    const key = collection === undefined ? keys.documents(tenant) : keys.documentsOf(tenant, collection)
    const rowsOf = (piece: Position[]) => Promise.all(piece.map(({ id }) => document(tenant, id)))
    const pieceSize = status || words || sha256 ? 200 : limit + 1
    const page = { cursor, limit, wanted, lookedAt: lookedThrough, pieceSize }
    const { rows, next } = await readPage(redis, key, rowsOf, page)
    return { items: rows, next }
  },
  revisions: async (tenant: string, id: string): Promise<{ newest: string; served: string | null } | null> => {
    const [owner, newest, served] = await redis.hmget(keys.document(id), 'tenant', 'revision', 'served')
    return owner === tenant && newest ? { newest, served: served ?? null } : null
  },
  /** Counts the documents in `scope` that are not indexed yet. Checks only the tenant's 1,000 oldest such documents. */
  beingRead: async (scope: Readers): Promise<number> =>
    countOpen(document, scope, await redis.zrange(keys.waiting(scope.tenant), '0', `${lookedThrough - 1}`)),
  /**
   * Counts recently added documents that are not indexed yet. Returns 0 if there are more than `mostArriving`, because
   * answers do not wait for so many documents.
   */
  arriving: async (scope: Readers): Promise<number> => {
    const recent = [keys.waiting(scope.tenant), `${Date.now() - recentMs}`, '+inf'] as const
    const ids = await redis.zrange(...recent, 'BYSCORE', 'LIMIT', 0, mostArriving + 1)
    return ids.length > mostArriving ? 0 : countOpen(document, scope, ids)
  },
  waiting: (tenant: string): Promise<number> => redis.zcard(keys.waiting(tenant)),
})

const requestedFields =
  ({ redis }: Parts) =>
  async (tenant: string, id: string): Promise<KeptDocument | null> => {
    const held = await redis.hgetall(keys.document(id))
    return held.tenant === tenant ? parseDocument(held) : null
  }

const changing = ({ redis, open, collections, document, unlist, cutAgain }: Parts) => ({
  retry: async (tenant: string, id: string): Promise<IngestJob | null> =>
    (await document(tenant, id)) ? open.requeue(tenant, id, 'failed') : null,
  reindexDocument: async (tenant: string, id: string): Promise<IngestJob | null> => {
    const held = await redis.hgetall(keys.document(id))
    if (held.tenant !== tenant) return null
    return cutAgain(tenant, id, held, await collections.chunking(tenant, parseDocument(held).collection))
  },
  /** Removes the document from the lists before deleting it, so that a failed removal can be repeated. */
  removeDocument: async (tenant: string, id: string): Promise<boolean> => {
    const view = await document(tenant, id)
    if (!view) return false
    await unlist(tenant, id, view.collection)
    await redis.del(keys.document(id))
    await collections.changed(tenant, view.collection)
    if ((await redis.zcard(keys.documentsOf(tenant, view.collection))) === 0)
      await collections.forgetEmbedder(tenant, view.collection)
    await redis.publish(keys.document(id), '')
    return true
  },
  fenceDocument: async (id: string, run: number): Promise<void> =>
    void (await redis.set(keys.documentRun(id), run, 'PX', runCountsMs)),
  /** Removes the document from the lists last, so that a repeated removal of the collection still finds it. */
  removeFromCollection: async (tenant: string, collection: string, id: string): Promise<void> => {
    await redis.del(keys.document(id))
    await unlist(tenant, id, collection)
    await redis.publish(keys.document(id), '')
  },
})

const reindexing = ({ redis, collections, cutAgain, listedIn }: Parts) =>
  async function* (tenant: string, collection: string): AsyncGenerator<IngestJob> {
    await collections.forgetEmbedder(tenant, collection)
    const chunking = await collections.chunking(tenant, collection)
    for await (const ids of listedIn(tenant, collection)) {
      for (const id of ids) {
        const job = await withStoreErrors(async () => {
          const held = await redis.hgetall(keys.document(id))
          const isIn = held.tenant === tenant && parseDocument(held).collection === collection
          return isIn ? cutAgain(tenant, id, held, chunking) : null
        })
        if (job) yield job
      }
    }
  }

export const openCatalog = (redis: RedisClient) => {
  const parts = partsOf(redis)
  const { document, collections, listedIn } = parts
  return {
    ...throughCall(withStoreErrors, {
      document,
      ...taking(parts),
      ...indexState(parts),
      ...reading(parts),
      requested: requestedFields(parts),
      ...changing(parts),
    }),
    listedIn,
    reindex: reindexing(parts),
    putCollection: collections.put,
    collection: collections.one,
    collections: collections.all,
    /** Removes an empty collection. Removes nothing if a document was added in the meantime. */
    removeCollection: collections.remove,
  }
}
export type Catalog = ReturnType<typeof openCatalog>
