import type { CollectionSettings, CollectionView, DocumentList, DocumentView, NewDocument } from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { describe } from './collection-description'
import { fromCursor, toCursor, walk } from './cursor'
import { keys } from './keys'
import { storing } from './redis-errors'
import { withScripts, type RedisClient, type Scripts } from './scripts'

type DocumentStatus = DocumentView['status']
type Progress = { passages: number; percent: number; error?: string }
type Page = { collection?: string; cursor: string | null; limit: number }
type Told = Pick<DocumentView, 'title' | 'collection' | 'metadata'>

/** A text waits so long at most for its indexing. */
const sourceTtlMs = 7 * 24 * 3_600_000
/** A description is made from the headings of so many documents at most. */
const describedDocuments = 60
const headingsPerDocument = 40

const iso = (ms: string | undefined): string => new Date(Number(ms)).toISOString()
const viewOf = (id: string, tenant: string, held: Record<string, string>): DocumentView | null => {
  if (held.tenant !== tenant) return null
  return {
    id,
    ...(JSON.parse(held.document ?? '') as Told),
    status: held.status as DocumentStatus,
    progress: { passages: Number(held.passages), percent: Number(held.percent) },
    ...(held.error && { error: held.error }),
    createdAt: iso(held.createdAt),
    updatedAt: iso(held.updatedAt),
  }
}

/** Collections and documents of each tenant. The text of a document stays until it is indexed. */
export class RedisCatalog {
  private readonly scripts: Scripts
  constructor(private readonly redis: RedisClient) {
    this.scripts = withScripts(redis)
  }

  putCollection(tenant: string, name: string, settings: CollectionSettings): Promise<CollectionView> {
    return storing(async () => {
      await this.redis.hset(keys.collections(tenant), name, JSON.stringify(settings))
      return { name, documents: await this.redis.zcard(keys.documentsOf(tenant, name)), ...settings }
    })
  }

  collection(tenant: string, name: string): Promise<CollectionView | null> {
    return storing(async () => {
      const settings = await this.redis.hget(keys.collections(tenant), name)
      return settings === null ? null : this.viewOfCollection(tenant, name, settings)
    })
  }

  collections(tenant: string): Promise<CollectionView[]> {
    return storing(async () => {
      const all = Object.entries(await this.redis.hgetall(keys.collections(tenant)))
      const views = await Promise.all(all.map(([name, settings]) => this.viewOfCollection(tenant, name, settings)))
      return views.filter((view) => view !== null).sort((a, b) => (a.name < b.name ? -1 : 1))
    })
  }

  /** Listed first and stored second, so that no stored document is missing from the lists. */
  createDocument(tenant: string, id: string, document: NewDocument): Promise<DocumentView> {
    return storing(async () => {
      const told: Told = { title: document.title ?? document.url ?? '', collection: document.collection, ...(document.metadata && { metadata: document.metadata }) }
      const now = Date.now()
      await Promise.all([
        this.redis.hsetnx(keys.collections(tenant), document.collection, ''),
        this.redis.zadd(keys.documents(tenant), now, id),
        this.redis.zadd(keys.documentsOf(tenant, document.collection), now, id),
      ])
      const before = await this.scripts.documentCreate(
        keys.document(id), keys.source(id), tenant, JSON.stringify(told), document.collection, JSON.stringify({ tenant, document }), sourceTtlMs, now,
      )
      if (before === null) await this.unlist(tenant, id, document.collection, true)
      if (before === null) throw new AppError('document.taken', 'never')
      if (before !== '' && before !== document.collection) await this.unlist(tenant, id, String(before), false)
      await this.noteHeadings(tenant, document.collection, id, [])
      const view = await this.document(tenant, id)
      if (!view) throw new AppError('document.gone', 'later')
      return view
    })
  }

  document(tenant: string, id: string): Promise<DocumentView | null> {
    return storing(async () => viewOf(id, tenant, await this.redis.hgetall(keys.document(id))))
  }

  documents(tenant: string, { collection, cursor, limit }: Page): Promise<DocumentList> {
    return storing(async () => {
      const key = collection === undefined ? keys.documents(tenant) : keys.documentsOf(tenant, collection)
      const items: DocumentView[] = []
      for await (const piece of walk(this.redis, key, fromCursor(cursor), Math.min(limit, 200))) {
        const views = await Promise.all(piece.map(({ id }) => this.document(tenant, id)))
        for (const [i, position] of piece.entries()) {
          const view = views[i]
          if (view) items.push(view)
          if (items.length === limit) return { items, next: toCursor(position) }
        }
      }
      return { items, next: null }
    })
  }

  /** What the ingestor needs; null when the document is indexed already or was removed. */
  source(id: string): Promise<{ tenant: string; document: NewDocument } | null> {
    return storing(async () => {
      const held = await this.redis.get(keys.source(id))
      return held === null ? null : (JSON.parse(held) as { tenant: string; document: NewDocument })
    })
  }

  /** False when the document was removed meanwhile. */
  progress(id: string, status: DocumentStatus, { passages, percent, error = '' }: Progress): Promise<boolean> {
    return storing(
      async () => (await this.scripts.documentProgress(keys.document(id), keys.source(id), status, passages, percent, error, Date.now())) === 1,
    )
  }

  /** False when the tenant has no such document. Unlisted first: what fails half-way can be removed again. */
  removeDocument(tenant: string, id: string): Promise<boolean> {
    return storing(async () => {
      const view = await this.document(tenant, id)
      if (!view) return false
      await this.unlist(tenant, id, view.collection, true)
      await this.redis.del(keys.document(id), keys.source(id))
      return true
    })
  }

  /** What a collection without a written description is described by. */
  noteHeadings(tenant: string, collection: string, documentId: string, titles: string[]): Promise<void> {
    return storing(async () => {
      const key = keys.headings(tenant, collection)
      const [noted, known, view] = await Promise.all([
        this.redis.hlen(key), this.redis.hexists(key, documentId), this.document(tenant, documentId),
      ])
      if (!view || (noted >= describedDocuments && known === 0)) return
      await this.redis.hset(key, documentId, JSON.stringify([view.title, ...titles.slice(0, headingsPerDocument)]))
    })
  }

  private async unlist(tenant: string, id: string, collection: string, everywhere: boolean): Promise<void> {
    await Promise.all([
      ...(everywhere ? [this.redis.zrem(keys.documents(tenant), id)] : []),
      this.redis.zrem(keys.documentsOf(tenant, collection), id),
      this.redis.hdel(keys.headings(tenant, collection), id),
    ])
  }

  /** A collection that nobody described is there as long as it has documents. */
  private async viewOfCollection(tenant: string, name: string, held: string): Promise<CollectionView | null> {
    const documents = await this.redis.zcard(keys.documentsOf(tenant, name))
    if (held !== '') return { name, documents, ...(JSON.parse(held) as CollectionSettings) }
    if (documents === 0) return null
    const headings = await this.redis.hvals(keys.headings(tenant, name))
    return { name, documents, description: describe(headings.map((titles) => JSON.parse(titles) as string[])) || `The collection ${name}` }
  }
}
