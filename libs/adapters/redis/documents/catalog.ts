import type {
  Chunking,
  CollectionSettings,
  CollectionView,
  DocumentList,
  DocumentSource,
  DocumentView,
  Format,
} from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { fromCursor, toCursor, walk } from '../client/sorted-sets'
import {
  askedDigest,
  documentIdOf,
  type Held,
  keptDocument,
  type KeptDocument,
  type Told,
  versionOf,
  viewOf,
} from './document'
import { keys } from '../client/keys'
import { openDocuments, type IngestJob } from './open-documents'
import type { Reader } from './collections'
import { redisCollections, type RedisCollections } from './collections'
import { withStoreErrors } from '../client/errors'
import { withScripts, type RedisClient, type Script } from '../client/client'
import createDocument from './lua/create-document.lua'

type Status = DocumentView['status']
type Page = { collection?: string; status?: Status; words?: string; cursor: string | null; limit: number }

/** A document as it is brought. `digest`: of its content; null where that is yet to be fetched. */
export type BroughtDocument = { told: Told; source: DocumentSource; digest: string | null }
export type Taken = 'new' | 'replaces' | 'unchanged'
type Compared = { name: string; taken: Taken; document?: DocumentView }
/** A page of a list is looked for among so many documents; one of a rare status may be short, and the next goes on from there. */
const lookedThrough = 1_000

/** Whether each of these words stands in what a document is called, in whatever case and order. */
const isCalled = ({ title, name = '' }: DocumentView, words: string): boolean => {
  const called = `${title}\n${name}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => called.includes(word))
}

/** Collections and documents of each tenant: what is known of them, never their text. */
export class RedisCatalog {
  private readonly scripts: { documentCreate: Script }
  private readonly inner: RedisCollections
  private readonly open: ReturnType<typeof openDocuments>
  constructor(private readonly redis: RedisClient) {
    this.scripts = withScripts(redis, { documentCreate: { lua: createDocument, numberOfKeys: 1 } })
    this.inner = redisCollections(redis)
    this.open = openDocuments(redis)
  }

  putCollection(tenant: string, name: string, settings: CollectionSettings): Promise<CollectionView> {
    return this.inner.put(tenant, name, settings)
  }

  collection(tenant: string, name: string, reader: Reader = 'all'): Promise<CollectionView | null> {
    return this.inner.one(tenant, name, reader)
  }

  collections(tenant: string, reader: Reader = 'all'): Promise<CollectionView[]> {
    return this.inner.all(tenant, reader)
  }

  /** Listed before it is stored, so that no stored document is missing from the lists, and after, as a removal may strike it off in between. */
  createDocument(
    tenant: string,
    id: string,
    revision: string,
    { told, source, digest }: BroughtDocument,
  ): Promise<{ view: DocumentView; taken: Taken }> {
    return withStoreErrors(async () => {
      const { collection } = told
      const now = Date.now()
      const list = () =>
        Promise.all([
          this.redis.hsetnx(keys.collections(tenant), collection, ''),
          ...[keys.documents(tenant), keys.documentsOf(tenant, collection)].map((key) =>
            this.redis.zadd(key, 'NX', now, id),
          ),
        ])
      await list()
      const kept: KeptDocument = { ...told, source }
      const asked = askedDigest(told, source.kind === 'url' ? source.url : '')
      const version = digest === null ? '' : versionOf(digest, asked, await this.inner.chunking(tenant, collection))
      const create = () =>
        this.scripts.documentCreate(
          keys.document(id),
          tenant,
          JSON.stringify(kept),
          revision,
          version,
          digest ?? '',
          asked,
          now,
        )
      const taken = await this.open.listed(tenant, id, create)
      if (taken === 'taken') {
        await this.unlist(tenant, id, collection)
        throw new AppError('document.taken', 'never')
      }
      await list()
      const view = await this.document(tenant, id)
      if (!view) {
        await this.unlist(tenant, id, collection)
        throw new AppError('document.gone', 'later')
      }
      if (taken === 'new' || told.access?.length) await this.inner.noteHeadings(tenant, told, id, view.title, [])
      if (view.status === 'indexed') await this.open.forget(id, tenant)
      return { view, taken: taken as Taken }
    })
  }

  /** Each file of a collection as it would be taken, were it brought now. */
  compare(
    tenant: string,
    told: Omit<Told, 'name'>,
    files: { name: string; format: Format | undefined; digest: string }[],
  ): Promise<Compared[]> {
    const { collection } = told
    return withStoreErrors(async () => {
      const chunking = await this.inner.chunking(tenant, collection)
      return Promise.all(
        files.map(async ({ name, format, digest }) => {
          const document = await this.document(tenant, documentIdOf(tenant, collection, { name }))
          if (!document) return { name, taken: 'new' as const }
          const version = versionOf(digest, askedDigest({ ...told, format }, ''), chunking)
          const isSame = document.version === version && document.status !== 'failed'
          return { name, taken: isSame ? ('unchanged' as const) : ('replaces' as const), document }
        }),
      )
    })
  }

  document(tenant: string, id: string): Promise<DocumentView | null> {
    return withStoreErrors(async () => viewOf(id, tenant, await this.redis.hgetall(keys.document(id))))
  }

  documents(tenant: string, { collection, status, words, cursor, limit }: Page): Promise<DocumentList> {
    return withStoreErrors(async () => {
      const key = collection === undefined ? keys.documents(tenant) : keys.documentsOf(tenant, collection)
      const items: DocumentView[] = []
      let looked = 0
      for await (const piece of walk(
        this.redis,
        key,
        fromCursor(cursor),
        Math.min(Math.max(limit, status || words ? 100 : 0), 200),
      )) {
        const views = await Promise.all(piece.map(({ id }) => this.document(tenant, id)))
        for (const [i, position] of piece.entries()) {
          const view = views[i]
          const isWanted = view && (!status || view.status === status) && (!words || isCalled(view, words))
          if (isWanted) items.push(view)
          looked += 1
          if (items.length === limit || looked === lookedThrough) return { items, next: toCursor(position) }
        }
      }
      return { items, next: null }
    })
  }

  /** Under which revisions a document's files stand: the newest, and the one that questions find. */
  revisions(tenant: string, id: string): Promise<{ newest: string; served: string | null } | null> {
    return withStoreErrors(async () => {
      const [owner, newest, served] = await this.redis.hmget(keys.document(id), 'tenant', 'revision', 'served')
      return owner === tenant && newest ? { newest, served: served ?? null } : null
    })
  }

  /** How many documents of a tenant are not through. */
  waiting(tenant: string): Promise<number> {
    return withStoreErrors(() => this.redis.zcard(keys.waiting(tenant)))
  }

  /** A failed document goes on where it failed; null where it has not failed. */
  retry(tenant: string, id: string): Promise<IngestJob | null> {
    return withStoreErrors(async () =>
      (await this.document(tenant, id)) ? this.open.requeue(tenant, id, 'failed') : null,
    )
  }

  /** Every document is cut and embedded again, from what was read of it; until then it is found as it was. Each job is queued by the caller. */
  async *reindex(tenant: string, collection: string): AsyncGenerator<IngestJob> {
    await this.inner.forgetEmbedder(tenant, collection)
    const chunking = await withStoreErrors(() => this.inner.chunking(tenant, collection))
    for await (const piece of walk(this.redis, keys.documentsOf(tenant, collection), null, 100)) {
      for (const { id } of piece) {
        const job = await withStoreErrors(async () => {
          const held = await this.redis.hgetall(keys.document(id))
          if (held.tenant !== tenant || keptDocument(held).collection !== collection) return null
          return this.cutAgain(tenant, id, held, chunking)
        })
        if (job) yield job
      }
    }
  }

  /** One document is cut and embedded again; null where there is no such document. */
  reindexDocument(tenant: string, id: string): Promise<IngestJob | null> {
    return withStoreErrors(async () => {
      const held = await this.redis.hgetall(keys.document(id))
      if (held.tenant !== tenant) return null
      return this.cutAgain(tenant, id, held, await this.inner.chunking(tenant, keptDocument(held).collection))
    })
  }

  private cutAgain(tenant: string, id: string, { digest, asked }: Held, chunking: Chunking | undefined) {
    return this.open.requeue(tenant, id, '', digest && asked ? versionOf(digest, asked, chunking) : '')
  }

  /** False when the tenant has no such document. Unlisted first: what fails half-way can be removed again. */
  removeDocument(tenant: string, id: string): Promise<boolean> {
    return withStoreErrors(async () => {
      const view = await this.document(tenant, id)
      if (!view) return false
      await this.unlist(tenant, id, view.collection)
      await this.redis.del(keys.document(id))
      await this.inner.changed(tenant, view.collection)
      if ((await this.redis.zcard(keys.documentsOf(tenant, view.collection))) === 0)
        await this.inner.forgetEmbedder(tenant, view.collection)
      await this.redis.publish(keys.document(id), '')
      return true
    })
  }

  /** Every document that a collection lists, also one that is half removed. */
  async *listedIn(tenant: string, collection: string): AsyncGenerator<string[]> {
    for await (const piece of walk(this.redis, keys.documentsOf(tenant, collection), null, 100))
      yield piece.map(({ id }) => id)
  }

  /** Struck off the lists last: whoever removes the collection again after a fault finds it there. */
  removeFromCollection(tenant: string, collection: string, id: string): Promise<void> {
    return withStoreErrors(async () => {
      await this.redis.del(keys.document(id))
      await this.unlist(tenant, id, collection)
      await this.redis.publish(keys.document(id), '')
    })
  }

  /** False where it holds documents again. */
  removeCollection(tenant: string, name: string): Promise<boolean> {
    return this.inner.remove(tenant, name)
  }

  private async unlist(tenant: string, id: string, collection: string): Promise<void> {
    await Promise.all([
      this.redis.zrem(keys.documents(tenant), id),
      this.redis.zrem(keys.waiting(tenant), id),
      this.redis.zrem(keys.documentsOf(tenant, collection), id),
      this.redis.hdel(keys.headings(tenant, collection), id),
      this.redis.hdel(keys.tagged(tenant, collection), id),
    ])
  }
}
