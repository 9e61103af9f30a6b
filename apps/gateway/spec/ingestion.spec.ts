import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import {
  openIngestCatalog,
  type Failure,
  type DocumentUpdate,
} from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { ParsedDocument } from '@plumbline/contracts'
import type { House } from './house.spec'

/** Performs an ingestor's work on a document, step by step. */
export const openIngestion =
  ({ redis, files }: House, tenant = 'a') =>
  async (id: string) => {
    const catalog = openIngestCatalog(redis)
    const revision = (await openCatalog(redis).revisions(tenant, id))?.newest ?? ''
    const begun = await catalog.begin(id, revision, { isolated: true })
    if (begun.kind !== 'open') throw new Error(`${id} is ${begun.kind}`)
    return {
      tells: (noted: DocumentUpdate) => catalog.progress(begun.open, noted),
      parsed: (document: ParsedDocument) => files.putParsed({ tenant, id, revision }, document),
      headings: (title: string, headings: string[]) => catalog.noteHeadings(begun.open, title, headings),
      fail: (failure: Failure) => catalog.fail(begun.open, failure),
      finish: (passages: number) => catalog.finish(begun.open, passages),
    }
  }
