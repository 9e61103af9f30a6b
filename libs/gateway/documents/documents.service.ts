import { Injectable } from '@nestjs/common'
import { acceptDocument, type DocumentContent } from '@plumbline/adapters/files/intake'
import { removeDocument } from '@plumbline/adapters/files/removal'
import type { IngestJob } from '@plumbline/adapters/redis/documents/open-documents'
import type { ReceivedFile } from '@plumbline/adapters/files/document-files'
import {
  type ComparedFiles,
  type DocumentFields,
  type DocumentList,
  type DocumentView,
  type FilesToCompare,
  formatOfName,
  type NewDocument,
  type ParsedDocument,
  type PassageList,
  type TakenDocument,
} from '@plumbline/contracts'
import { AppError } from '@plumbline/platform'
import { mayRead } from '@plumbline/ports/passage-index/passage-index'
import { DocumentOrigins } from '../feature'
import type { Caller } from '../http/authenticate'
import { hasRole } from '../http/caller'
import { notFound, Refusal, wrongField } from '../http/problem'
import { bounds } from '../settings'
import { Common, DocumentPorts, withGatewayTimeout } from '../ports'
import { Collections } from './collections.service'

type Page = {
  collection?: string
  status?: DocumentView['status']
  words?: string
  name?: string
  sha256?: string
  cursor?: string
  limit: number
}
type Taking = { key: string | undefined; signal: AbortSignal }

const removeWithinMs = 10_000
const removedAtOnce = 8
/** The maximum number of catalog pages that are read to fill one page of a list. */
const pagesRead = 20

/** An admin sees that a document exists, but needs the document's access tags to read its content. */
const maySee = (caller: Caller, { access }: DocumentView): boolean =>
  hasRole(caller, 'admin') || mayRead(caller.access, access)

const fromSource = (source?: string): Refusal =>
  new Refusal(
    'document-from-source',
    `${source === undefined ? 'A source imports the document of this name' : `The source ${source} imports this document`} and keeps it in sync. Change or remove the file at its source, or remove the source.`,
  )

@Injectable()
export class Documents {
  constructor(
    private readonly common: Common,
    private readonly documentPorts: DocumentPorts,
    private readonly origins: DocumentOrigins,
    private readonly collections: Collections,
  ) {}

  receive(content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<ReceivedFile> {
    return this.documentPorts.files.receive(content, { bytes: this.common.settings.maxFileMb * 1_000_000 }, signal)
  }

  addNew(caller: Caller, { text, url, ...fields }: NewDocument, taking: Taking): Promise<TakenDocument> {
    return this.add(
      caller,
      fields,
      url === undefined ? { kind: 'text', text: text ?? '' } : { kind: 'url', url },
      taking,
    )
  }

  /** Adds a document. If the document has no name, the Idempotency-Key or the content identifies it. */
  async add(
    { tenant }: Caller,
    fields: DocumentFields,
    brought: DocumentContent,
    { key, signal }: Taking,
  ): Promise<TakenDocument> {
    const { catalog, files, ingest: queue } = this.documentPorts
    try {
      // If the store is unavailable, this call fails before any bytes are stored.
      await withGatewayTimeout(() => catalog.waiting(tenant))
      await this.checkSuperseded(tenant, fields.supersedes ?? [])
      const options = {
        signal,
        mostBytes: this.common.settings.maxFileMb * 1_000_000,
        ...(key !== undefined && { key }),
      }
      return await acceptDocument({ catalog, files, queue }, tenant, fields, brought, options)
    } catch (error) {
      if (error instanceof AppError && error.code === 'document.owned') throw fromSource()
      throw error
    } finally {
      if (brought.kind === 'file') await brought.received.discard()
      this.collections.forget(tenant)
    }
  }

  async compare({ tenant }: Caller, { files, ...told }: FilesToCompare): Promise<ComparedFiles> {
    const named = files.map(({ name, sha256 }) => ({ name, format: formatOfName(name), digest: sha256 }))
    return { items: await withGatewayTimeout(() => this.documentPorts.catalog.compare(tenant, told, named)) }
  }

  /** Several callers may share the result of `read`, so the access of each caller is checked after the read. */
  async get(
    caller: Caller,
    id: string,
    read = (tenant: string) => withGatewayTimeout(() => this.documentPorts.catalog.document(tenant, id)),
  ): Promise<DocumentView> {
    const view = await read(caller.tenant)
    if (!view || !maySee(caller, view)) throw notFound('document')
    return view
  }

  async list(caller: Caller, { cursor = '', limit, ...asked }: Page): Promise<DocumentList> {
    const items: DocumentView[] = []
    let next: string | null = cursor || null
    for (let pages = 0; pages < pagesRead; pages += 1) {
      const page = { ...asked, cursor: next, limit: limit - items.length }
      const read = await withGatewayTimeout(() => this.documentPorts.catalog.documents(caller.tenant, page))
      items.push(...read.items.filter((view) => maySee(caller, view)))
      next = read.next
      if (next === null || items.length >= limit) break
    }
    return { items, next }
  }

  /** Returns the document. Refuses callers who may not read its content. */
  private async readable(caller: Caller, id: string): Promise<DocumentView> {
    const view = await this.get(caller, id)
    const { access = [] } = view
    if (mayRead(caller.access, access)) return view
    throw new Refusal(
      'forbidden',
      `Your key may not read this document. Use a key with one of the access tags ${access.join(', ')}.`,
    )
  }

  /** Lists the passages of a document. They are of the previous version until the new version is indexed. */
  async passages(caller: Caller, id: string, from: number, limit: number): Promise<PassageList> {
    const { collection } = await this.readable(caller, id)
    const scope = { tenant: caller.tenant, collections: [collection], filters: {}, access: caller.access }
    const span = { from, to: from + limit }
    const found = await this.documentPorts.passages.ofDocument(scope, id, span, AbortSignal.timeout(bounds.searchMs))
    const next = found[limit]?.position
    return { items: found.slice(0, limit), next: next === undefined ? null : `${next}` }
  }

  /**
   * Returns the revision to show. For callers with access `all`, this is the revision that searches use. Other callers
   * get the newest revision, because the revision that searches use may have other access tags.
   */
  async shown(caller: Caller, id: string): Promise<{ revision: string; format: DocumentView['format'] }> {
    const { format } = await this.readable(caller, id)
    const revisions = await withGatewayTimeout(() => this.documentPorts.catalog.revisions(caller.tenant, id))
    if (!revisions) throw notFound('document')
    const { newest, served } = revisions
    return { revision: caller.access === 'all' && served !== null ? served : newest, format }
  }

  /**
   * Returns the newest revision. If it is not parsed yet, callers with access `all` get the revision that searches use.
   * Other callers do not get that revision, because it may have other access tags.
   */
  async content(caller: Caller, id: string): Promise<ParsedDocument> {
    const { status, error } = await this.readable(caller, id)
    const revisions = await withGatewayTimeout(() => this.documentPorts.catalog.revisions(caller.tenant, id))
    if (!revisions) throw notFound('document')
    const newest = await this.documentPorts.files.parsed({ tenant: caller.tenant, id, revision: revisions.newest })
    const served = caller.access === 'all' && revisions.served !== null ? revisions.served : revisions.newest
    const parsed = newest ?? (await this.documentPorts.files.parsed({ tenant: caller.tenant, id, revision: served }))
    if (parsed) return parsed
    throw new Refusal(
      'document-not-read',
      status === 'failed'
        ? `The document could not be read: ${error ?? 'no reason was given'}`
        : 'The document has not been parsed yet. Its event stream (GET /v1/documents/:id/events) reports when its text is ready.',
    )
  }

  async retry(caller: Caller, id: string): Promise<DocumentView> {
    const { tenant } = caller
    const { status } = await this.get(caller, id)
    if (status === 'indexed')
      throw new Refusal('document-not-failed', 'The document is indexed, so there is nothing to retry.')
    await this.queue(tenant, await withGatewayTimeout(() => this.documentPorts.catalog.retry(tenant, id)))
    return this.get(caller, id)
  }

  async reindex(caller: Caller, id: string): Promise<DocumentView> {
    const { tenant } = caller
    await this.get(caller, id)
    await this.queue(tenant, await withGatewayTimeout(() => this.documentPorts.catalog.reindexDocument(tenant, id)))
    return this.get(caller, id)
  }

  private async queue(tenant: string, job: IngestJob | null): Promise<void> {
    if (job) await this.documentPorts.ingest.add(job, await this.documentPorts.catalog.waiting(tenant))
  }

  async remove(caller: Caller, id: string): Promise<void> {
    const { tenant } = caller
    const { from } = await this.get(caller, id)
    if (from) throw fromSource(from.source)
    await this.removing(tenant, id, () => this.documentPorts.catalog.removeDocument(tenant, id))
    this.collections.forget(tenant)
  }

  async removeCollection(caller: Caller, name: string): Promise<void> {
    const { tenant } = caller
    const { catalog } = this.documentPorts
    await this.collections.get(caller, name)
    const sources = await withGatewayTimeout(() => this.origins.ofCollection(tenant, name))
    if (sources.length > 0)
      throw new Refusal(
        'collection-has-sources',
        `${sources.length === 1 ? 'A source imports' : 'Sources import'} documents into this collection: ${sources.join(', ')}. Remove ${sources.length === 1 ? 'this source' : 'these sources'} first (DELETE /v1/sources/:name?documents=remove).`,
      )
    // Each removed document leaves the list of the collection, so an interrupted removal can continue.
    const removeOne = (id: string) => this.removing(tenant, id, () => catalog.removeFromCollection(tenant, name, id))
    do {
      for await (const ids of catalog.listedIn(tenant, name))
        for (let at = 0; at < ids.length; at += removedAtOnce)
          await Promise.all(ids.slice(at, at + removedAtOnce).map(removeOne))
    } while (!(await catalog.removeCollection(tenant, name)))
    this.collections.forget(tenant)
  }

  private removing(tenant: string, id: string, unlist: () => Promise<unknown>): Promise<void> {
    return removeDocument(this.documentPorts, tenant, id, unlist, AbortSignal.timeout(removeWithinMs))
  }

  private async checkSuperseded(tenant: string, ids: string[]): Promise<void> {
    const known = await Promise.all(
      ids.map((id) => withGatewayTimeout(() => this.documentPorts.catalog.document(tenant, id))),
    )
    const at = known.indexOf(null)
    if (at >= 0)
      throw wrongField(
        `supersedes.${at}`,
        `there is no document ${ids[at] ?? ''}; GET /v1/documents lists all documents`,
        'unknown-document',
      )
  }
}
