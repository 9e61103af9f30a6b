import { Inject, Injectable } from '@nestjs/common'
import type { RedisCatalog } from '@plumbline/adapters/redis'
import type { DocumentList, DocumentView, NewDocument, TakenDocument } from '@plumbline/contracts'
import { newId } from '../door/ids'
import { notFound } from '../door/problem'
import { CATALOG, INGEST, REMOVE } from '../ports'
import { promptly } from '../promptly'
import { Collections } from './collections.service'

export type IngestQueue = { add(documentId: string): Promise<void> }
export type RemovePassages = (tenant: string, documentId: string, signal: AbortSignal) => Promise<void>

const removeWithinMs = 10_000

@Injectable()
export class Documents {
  constructor(
    @Inject(CATALOG) private readonly catalog: RedisCatalog,
    @Inject(INGEST) private readonly ingest: IngestQueue,
    @Inject(REMOVE) private readonly removePassages: RemovePassages,
    private readonly collections: Collections,
  ) {}

  /** Stored first and queued second; with an Idempotency-Key the same document again is queued again only while it waits. */
  async add(tenant: string, document: NewDocument, key: string | undefined): Promise<TakenDocument> {
    const id = newId('d', tenant, key)
    const before = await promptly(() => this.catalog.document(tenant, id))
    const view = before ?? (await this.catalog.createDocument(tenant, id, document))
    this.collections.forget(tenant)
    if (view.status === 'queued') await this.ingest.add(id)
    return { ...view, taken: before ? 'unchanged' : 'new' }
  }

  async get(tenant: string, id: string): Promise<DocumentView> {
    const view = await promptly(() => this.catalog.document(tenant, id))
    if (!view) throw notFound('document')
    return view
  }

  list(tenant: string, page: { collection?: string; cursor?: string; limit: number }): Promise<DocumentList> {
    return promptly(() =>
      this.catalog.documents(tenant, { collection: page.collection, cursor: page.cursor ?? null, limit: page.limit }),
    )
  }

  /** Passages go before the entry, so that a removal that fails can be repeated, and once more for an ingestion under way. */
  async remove(tenant: string, id: string): Promise<void> {
    await this.get(tenant, id)
    const signal = AbortSignal.timeout(removeWithinMs)
    await this.removePassages(tenant, id, signal)
    await this.catalog.removeDocument(tenant, id)
    this.collections.forget(tenant)
    await this.removePassages(tenant, id, signal)
  }
}
