import { Inject, Injectable } from '@nestjs/common'
import type { IngestQueue } from '@plumbline/adapters/bullmq'
import { takeDocument, type DocumentFiles } from '@plumbline/adapters/files'
import type { RedisCatalog } from '@plumbline/adapters/redis'
import type { DocumentList, DocumentView, NewDocument, TakenDocument } from '@plumbline/contracts'
import { notFound } from '../door/problem'
import { CATALOG, FILES, INGEST, REMOVE } from '../ports'
import { promptly } from '../promptly'
import { Collections } from './collections.service'

export type RemovePassages = (tenant: string, documentId: string, signal: AbortSignal) => Promise<void>

const removeWithinMs = 10_000
const takeWithinMs = 60_000

@Injectable()
export class Documents {
  constructor(
    @Inject(CATALOG) readonly catalog: RedisCatalog,
    @Inject(FILES) readonly files: DocumentFiles,
    @Inject(INGEST) readonly queue: IngestQueue,
    @Inject(REMOVE) private readonly removePassages: RemovePassages,
    private readonly collections: Collections,
  ) {}

  /** The same name, or the same content without one, is the same document; with an Idempotency-Key, the key is its name. */
  async add(tenant: string, { text, url, ...fields }: NewDocument, key: string | undefined): Promise<TakenDocument> {
    const brought = url === undefined ? { kind: 'text' as const, text: text ?? '' } : { kind: 'url' as const, url }
    const signal = AbortSignal.timeout(takeWithinMs)
    const view = await takeDocument(this, tenant, fields, brought, { signal, ...(key !== undefined && { key }) })
    this.collections.forget(tenant)
    return view
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
    await this.files.remove(id)
  }
}
