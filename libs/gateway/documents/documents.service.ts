import { Inject, Injectable } from '@nestjs/common'
import type { IngestQueue } from '@plumbline/adapters/bullmq'
import { takeDocument, type Brought, type DocumentFiles, type Received } from '@plumbline/adapters/files'
import type { RedisCatalog } from '@plumbline/adapters/redis'
import type {
  DocumentFields,
  DocumentList,
  DocumentView,
  NewDocument,
  ParsedDocument,
  TakenDocument,
} from '@plumbline/contracts'
import { mayRead } from '../door/access'
import type { Caller } from '../door/api-keys'
import { has } from '../door/caller'
import { notFound, Refusal, wrongField } from '../door/problem'
import { CATALOG, FILES, INGEST, REMOVE, SETTINGS } from '../ports'
import { promptly } from '../promptly'
import type { Settings } from '../settings'
import { Collections } from './collections.service'

export type RemovePassages = (tenant: string, documentId: string, signal: AbortSignal) => Promise<void>
type Page = { collection?: string; status?: DocumentView['status']; cursor?: string; limit: number }
type Taking = { key: string | undefined; signal: AbortSignal }

const removeWithinMs = 10_000
/** A page of a list is filled from so many pages of the catalog at most. */
const pagesRead = 20

/** Whoever brings documents keeps them in order, tags or not; what stands in them is for those who may read it. */
const maySee = (caller: Caller, { access }: DocumentView): boolean => has(caller) || mayRead(caller.access, access)

@Injectable()
export class Documents {
  constructor(
    @Inject(CATALOG) readonly catalog: RedisCatalog,
    @Inject(FILES) readonly files: DocumentFiles,
    @Inject(INGEST) readonly queue: IngestQueue,
    @Inject(REMOVE) private readonly removePassages: RemovePassages,
    @Inject(SETTINGS) private readonly settings: Settings,
    private readonly collections: Collections,
  ) {}

  receive(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Received> {
    return this.files.receive(content, { bytes: this.settings.maxFileBytes }, signal)
  }

  addNew(caller: Caller, { text, url, ...fields }: NewDocument, taking: Taking): Promise<TakenDocument> {
    return this.add(
      caller,
      fields,
      url === undefined ? { kind: 'text', text: text ?? '' } : { kind: 'url', url },
      taking,
    )
  }

  /** The same name, or the same content without one, is the same document; with an Idempotency-Key, the key is its name. */
  async add(
    { tenant }: Caller,
    fields: DocumentFields,
    brought: Brought,
    { key, signal }: Taking,
  ): Promise<TakenDocument> {
    try {
      // Who brings a document while the store is away hears so before anything of it is kept.
      await promptly(() => this.catalog.waiting(tenant))
      await this.checkSuperseded(tenant, fields.supersedes ?? [])
      const options = { signal, mostBytes: this.settings.maxFileBytes, ...(key !== undefined && { key }) }
      return await takeDocument(this, tenant, fields, brought, options)
    } finally {
      if (brought.kind === 'file') await brought.received.discard()
      this.collections.forget(tenant)
    }
  }

  async get(caller: Caller, id: string): Promise<DocumentView> {
    const view = await promptly(() => this.catalog.document(caller.tenant, id))
    if (!view || !maySee(caller, view)) throw notFound('document')
    return view
  }

  async list(caller: Caller, { collection, status, cursor = '', limit }: Page): Promise<DocumentList> {
    const items: DocumentView[] = []
    let next: string | null = cursor || null
    for (let pages = 0; pages < pagesRead; pages += 1) {
      const page = { collection, cursor: next, limit: limit - items.length, ...(status && { status }) }
      const read = await promptly(() => this.catalog.documents(caller.tenant, page))
      items.push(...read.items.filter((view) => maySee(caller, view)))
      next = read.next
      if (next === null || items.length >= limit) break
    }
    return { items, next }
  }

  /** The document as it was read. What an older version said may be for others than what the newest says. */
  async content(caller: Caller, id: string): Promise<ParsedDocument> {
    const { status, access = [], error } = await this.get(caller, id)
    if (!mayRead(caller.access, access))
      throw new Refusal('forbidden', `To read this document a key needs one of the tags ${access.join(', ')}.`)
    const revisions = await promptly(() => this.catalog.revisions(caller.tenant, id))
    if (!revisions) throw notFound('document')
    const newest = await this.files.parsed(id, revisions.newest)
    const served = caller.access === 'all' && revisions.served !== null ? revisions.served : revisions.newest
    const parsed = newest ?? (await this.files.parsed(id, served))
    if (parsed) return parsed
    throw new Refusal(
      'document-not-read',
      status === 'failed'
        ? `The document could not be read: ${error ?? 'no reason was given'}`
        : 'The document is not read yet. Its events say when it is.',
    )
  }

  async retry(caller: Caller, id: string): Promise<DocumentView> {
    const { tenant } = caller
    const { status } = await this.get(caller, id)
    if (status === 'indexed')
      throw new Refusal('document-not-failed', 'The document is indexed: there is nothing to try again.')
    const job = await promptly(() => this.catalog.retry(tenant, id))
    if (job) await this.queue.add(job, await this.catalog.waiting(tenant))
    return this.get(caller, id)
  }

  /**
   * Passages and files go before the entry, so that a removal that fails can be repeated, and passages once more for an ingestion under
   * way. Once the entry is gone the same name may be brought again, with files of its own.
   */
  async remove(caller: Caller, id: string): Promise<void> {
    const { tenant } = caller
    await this.get(caller, id)
    const signal = AbortSignal.timeout(removeWithinMs)
    await this.removePassages(tenant, id, signal)
    await this.files.remove(id)
    await this.catalog.removeDocument(tenant, id)
    this.collections.forget(tenant)
    await this.removePassages(tenant, id, signal)
  }

  private async checkSuperseded(tenant: string, ids: string[]): Promise<void> {
    const known = await Promise.all(ids.map((id) => promptly(() => this.catalog.document(tenant, id))))
    const at = known.indexOf(null)
    if (at >= 0)
      throw wrongField(
        `supersedes.${at}`,
        `there is no document ${ids[at] ?? ''}; GET /v1/documents lists them`,
        'unknown-document',
      )
  }
}
