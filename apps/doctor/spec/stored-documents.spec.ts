import { mkdtempSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { acceptDocument } from '@plumbline/adapters/files/intake'
import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'

const never = new AbortController().signal

/** Creates a data folder with an uploaded file that the catalog does not list. */
export const storeDocument = async (dir: string, access?: string[]): Promise<string> => {
  const folder = mkdtempSync(join(dir, 'data-'))
  const files = await openDocumentFiles(join(folder, 'documents'))
  const received = await files.receive('Secret.', { bytes: 100 }, never)
  const of = { tenant: 't', id: 'dlost', revision: 'v1' }
  const record = {
    acceptedAt: 1,
    source: { kind: 'text' as const },
    document: { collection: 'main', title: 'Salaries' },
  }
  await received.keep(of, { name: 'text' }, access && { ...record, access })
  const longAgo = new Date(Date.now() - 3_600_000)
  utimesSync(join(folder, 'documents', 'st', 'dlost', 'v1'), longAgo, longAgo)
  return folder
}
/** Creates a data folder whose only document was deleted, although the catalog still lists it. */
export const deleteDocument = async (dir: string, redis: RedisClient): Promise<string> => {
  const folder = mkdtempSync(join(dir, 'data-'))
  const files = await openDocumentFiles(join(folder, 'documents'))
  const ports = { catalog: openCatalog(redis), files, queue: { add: () => Promise.resolve() } }
  const text = { kind: 'text' as const, text: 'Deleted.' }
  const { id } = await acceptDocument(ports, 't', { collection: 'main', name: 'a' }, text, { signal: never })
  await files.remove({ tenant: 't', id })
  return folder
}
