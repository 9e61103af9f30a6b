import { randomBytes } from 'node:crypto'
import { retryOf } from '@plumbline/platform'
import type { DocumentFields, DocumentSource, ParsedDocument, TakenDocument } from '@plumbline/contracts'
import { formatOfName, isShortText } from '@plumbline/contracts/format-names'
import { documentIdOf, type IngestJob, type Catalog, type Owner } from '../redis'
import type { DocumentFiles, Received } from './document-files'

/**
 * The content of a document: a text, a received file, or a URL to fetch. `parsed` is the result of an earlier parse of
 * the same bytes.
 */
export type Brought =
  | { kind: 'text'; text: string }
  | { kind: 'file'; file: string; mediaType?: string; url?: string; received: Received; parsed?: ParsedDocument | null }
  | { kind: 'url'; url: string }

type Ports = {
  catalog: Pick<Catalog, 'createDocument' | 'revisions' | 'waiting'>
  files: Pick<DocumentFiles, 'receive' | 'drop' | 'putParsed'>
  queue: { add(job: IngestJob, waiting: number): Promise<void> }
}
type Options = {
  signal: AbortSignal
  /** Identifies a document that has no name of its own. */ key?: string
  mostBytes?: number
  /** The source that imports the document. */ owner?: Owner
}

export const intakeDefaults = { mostBytes: 100_000_000 }

/**
 * Returns a new revision id. The id starts with a letter, because no part of a BullMQ job id may consist of digits
 * only.
 */
const newRevision = (): string => `v${randomBytes(10).toString('hex')}`

const sourceOf = (brought: Brought): DocumentSource => {
  if (brought.kind === 'file') return { kind: 'file', file: brought.file, bytes: brought.received.bytes }
  return brought.kind === 'url' ? { kind: 'url', url: brought.url } : { kind: 'text' }
}

const receivedOf = async (
  { files }: Ports,
  brought: Brought,
  { signal, mostBytes = intakeDefaults.mostBytes }: Options,
): Promise<Received | null> => {
  if (brought.kind === 'url') return null
  return brought.kind === 'file' ? brought.received : files.receive(brought.text, { bytes: mostBytes }, signal)
}

const nameOf = (brought: Brought): string => (brought.kind === 'file' ? brought.file : 'text')

/**
 * Accepts a document: stores its files, then its catalog entry, then its job. If a step fails, the upload can be
 * repeated. Uploading the same content under the same name again changes nothing.
 */
export const takeDocument = async (
  ports: Ports,
  tenant: string,
  fields: DocumentFields,
  brought: Brought,
  options: Options,
): Promise<TakenDocument> => {
  const { catalog, files, queue } = ports
  const received = await receivedOf(ports, brought, options)
  try {
    const digest = received?.digest ?? null
    const told =
      brought.kind === 'url'
        ? { ...fields, name: fields.name ?? brought.url }
        : { ...fields, ...(brought.kind === 'text' && { format: fields.format ?? ('markdown' as const) }) }
    const name = told.name ?? options.key
    const id = documentIdOf(tenant, fields.collection, name === undefined ? { digest: digest ?? '' } : { name })
    const revision = newRevision()
    const of = { tenant, id, revision }
    const source = sourceOf(brought)
    const about = {
      name: nameOf(brought),
      ...(brought.kind === 'file' && brought.mediaType && { mediaType: brought.mediaType }),
      ...(brought.kind === 'file' && brought.url && { url: brought.url }),
    }
    const { access, ...document } = told
    const isShort = received !== null && isShortText(told.format ?? formatOfName(about.name), received.bytes)
    await received?.keep(of, about, { acceptedAt: Date.now(), access, source, document })
    if (brought.kind === 'file' && brought.parsed) await files.putParsed(of, brought.parsed)
    const { view, taken } = await catalog
      .createDocument(tenant, id, revision, { told, source, digest, owner: options.owner })
      .catch(async (error: unknown) => {
        // Remove the files of a rejected document. Otherwise they would look like a document that the catalog has lost.
        if (retryOf(error) === 'never') await files.drop(of)
        throw error
      })
    if (taken === 'unchanged') await files.drop(of)
    const wanted = taken === 'unchanged' ? (await catalog.revisions(tenant, id))?.newest : revision
    if (view.status === 'queued' && wanted)
      await queue.add(
        { documentId: id, revision: wanted, tenant, ...(isShort && { short: true }) },
        await catalog.waiting(tenant),
      )
    return { ...view, taken }
  } finally {
    await received?.discard()
  }
}
