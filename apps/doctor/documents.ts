import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openIngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import { type Adopted, adoptUnknown, findUnknown, type UnknownOriginal } from '@plumbline/adapters/files/adopt'
import { type DocumentFiles, type DocumentsSettings, openDocumentFiles } from '@plumbline/adapters/files/document-files'
import { connectFailFast, type RedisClient, whenReady } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import { openIngestCatalog } from '@plumbline/adapters/redis/documents/ingest-catalog'
import type { IngestorEnv } from '@plumbline/ingestor/ingestor.env'
import { AppError } from '@plumbline/platform'
import type { EntryEnv } from '@plumbline/platform/env'
import { fault, warning, type Finding } from './finding'

type Store = { dir: string; settings: DocumentsSettings; keptDays: number; lane: string }
export const storeOf = (
  { DATA_DIR, LANES }: Pick<EntryEnv, 'DATA_DIR' | 'LANES'>,
  { documents, UNKNOWN_ORIGINALS_DAYS: keptDays }: IngestorEnv,
): Store => ({ dir: join(DATA_DIR, 'documents'), settings: documents, keptDays, lane: LANES[0] ?? 'main' })

/** The time limit of a check. It is long, because listing a large bucket takes minutes. */
const withinMs = 600_000
const maxListed = 20
const signalOf = (): AbortSignal => AbortSignal.timeout(withinMs)

/** Opens the document store, or returns null if its folder does not exist. Opening it would create the folder. */
const openFiles = async ({ dir, settings }: Store): Promise<DocumentFiles | null> =>
  settings.store === 'folder' && !existsSync(dir) ? null : openDocumentFiles(dir, settings)

const countText = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`
const listText = <Row>(rows: readonly Row[], line: (row: Row) => string): string =>
  [
    ...rows.slice(0, maxListed).map(line),
    ...(rows.length > maxListed ? [`and ${rows.length - maxListed} more`] : []),
  ].join(', ')

const lineOf = ({ tenant, id, original, record }: UnknownOriginal): string =>
  record
    ? `${id} (${record.document.title ?? record.document.name ?? original.name}; tenant ${tenant}, collection ${record.document.collection})`
    : `${id} (${original.name}; tenant ${tenant || 'unknown'})`

const ofUnknown = (unknown: UnknownOriginal[], keptDays: number): Finding[] => {
  const [adoptable, others] = [unknown.filter(({ record }) => record), unknown.filter(({ record }) => !record)]
  const kept = `Unknown files are kept for ${keptDays} days (UNKNOWN_ORIGINALS_DAYS).`
  return [
    ...(adoptable.length > 0
      ? [
          fault(
            'documents.unknown',
            `${countText(adoptable.length, 'stored document')} ${adoptable.length === 1 ? 'is' : 'are'} unknown to the catalog: ${listText(adoptable, lineOf)}. ${kept}`,
            'If Redis was restored from an older copy, add the documents again with their stored access tags: npm run plumbline -- doctor --adopt-originals.',
          ),
        ]
      : []),
    ...(others.length > 0
      ? [
          warning(
            'documents.untagged',
            `${countText(others.length, 'stored file')} without stored access tags ${others.length === 1 ? 'is' : 'are'} unknown to the catalog: ${listText(others, lineOf)}. ${kept}`,
            'No command adds these files again, because their access tags are unknown. If the documents are still needed, upload them again.',
          ),
        ]
      : []),
  ]
}

type ListedAgain = { tenant: string; id: string }
const ofDeleted = (documents: ListedAgain[]): Finding[] =>
  documents.length > 0
    ? [
        warning(
          'documents.deleted',
          `The catalog lists ${countText(documents.length, 'document')} that ${documents.length === 1 ? 'was' : 'were'} deleted: ${listText(documents, ({ tenant, id }) => `${id} (tenant ${tenant})`)}.`,
          'The catalog is older than the deletion. Delete the documents again: DELETE /v1/documents/<id>.',
        ),
      ]
    : []

export const documentFindings = async (store: Store, redis: RedisClient): Promise<Finding[]> => {
  const { fileState } = openIngestCatalog(redis)
  let files: DocumentFiles | null = null
  try {
    files = await openFiles(store)
    if (!files) return []
    const unknown: UnknownOriginal[] = []
    for await (const one of findUnknown(files, { fileState, signal: signalOf() })) unknown.push(one)
    const deleted: ListedAgain[] = []
    for await (const { tenant, id, revisions } of files.deleted(signalOf())) {
      const state = await fileState(id)
      if (state && revisions.includes(state.newest)) deleted.push({ tenant, id })
    }
    return [...ofUnknown(unknown, store.keptDays), ...ofDeleted(deleted)]
  } catch (error) {
    const says = error instanceof AppError && error.cause instanceof Error ? error.cause.message : String(error)
    return [fault('documents', says, 'Check DOCUMENTS_STORE, DATA_DIR and the bucket settings.')]
  } finally {
    await files?.close()
  }
}

const outcomes: Record<Adopted['as'], string> = {
  adopted: 'added again; indexing starts next',
  unchanged: 'already there with the same content',
  'no-tags': 'not added: the document has no stored access tags',
  refused: 'not added: the catalog contains another document of this name',
}

export const adoptOriginals = async (store: Store, redisUrl: string, tell: (line: string) => void): Promise<void> => {
  const redis = connectFailFast(redisUrl)
  try {
    await whenReady(redis, 5_000)
    const files = await openFiles(store)
    if (!files) return tell('No document is stored here.')
    const queue = openIngestQueue(redis, store.lane)
    let count = 0
    try {
      const ports = { catalog: openCatalog(redis), files, queue }
      const { fileState } = openIngestCatalog(redis)
      for await (const { id, title, as } of adoptUnknown(ports, { fileState, signal: signalOf() })) {
        tell(`${id}  ${title}: ${outcomes[as]}`)
        if (as === 'adopted') count += 1
      }
    } finally {
      await queue.close()
      await files.close()
    }
    tell(`${countText(count, 'document')} added again.`)
  } finally {
    redis.disconnect()
  }
}
