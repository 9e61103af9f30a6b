import { randomBytes } from 'node:crypto'
import { retryOf } from '@plumbline/platform'
import type { DocumentFields, DocumentSource, ParsedDocument, TakenDocument } from '@plumbline/contracts'
import { formatOfName, isShortText } from '@plumbline/contracts/format-names'
import { documentIdOf } from '../redis/documents/document'
import type { IngestJob } from '../redis/documents/open-documents'
import type { Catalog, Owner } from '../redis/documents/catalog'
import type { DocumentFiles, ReceivedFile } from './document-files'

/** `parsed` is the result of an earlier parse of the same bytes. */
export type DocumentContent =
  | { kind: 'text'; text: string }
  | {
      kind: 'file'
      file: string
      mediaType?: string
      url?: string
      received: ReceivedFile
      parsed?: ParsedDocument | null
    }
  | { kind: 'url'; url: string }

type Ports = {
  catalog: Pick<Catalog, 'createDocument' | 'revisions' | 'waiting'>
  files: Pick<DocumentFiles, 'receive' | 'drop' | 'putParsed'>
  queue: { add(job: IngestJob, waiting: number): Promise<void> }
}
type Options = {
  signal: AbortSignal
  /** Identifies the document if the document has no name. */ key?: string
  mostBytes?: number
  owner?: Owner
}

export const intakeDefaults = { mostBytes: 100_000_000 }

/** The id of a revision starts with a letter, because no part of a BullMQ job id may consist of digits only. */
const newRevision = (): string => `v${randomBytes(10).toString('hex')}`

const sourceOf = (content: DocumentContent): DocumentSource => {
  if (content.kind === 'file') return { kind: 'file', file: content.file, bytes: content.received.bytes }
  return content.kind === 'url' ? { kind: 'url', url: content.url } : { kind: 'text' }
}

const receivedOf = async (
  { files }: Ports,
  content: DocumentContent,
  { signal, mostBytes = intakeDefaults.mostBytes }: Options,
): Promise<ReceivedFile | null> => {
  if (content.kind === 'url') return null
  return content.kind === 'file' ? content.received : files.receive(content.text, { bytes: mostBytes }, signal)
}

const nameOf = (content: DocumentContent): string => (content.kind === 'file' ? content.file : 'text')

/** Stores the files, then the catalog entry, then the job. If one of these steps fails, repeat the upload. */
export const acceptDocument = async (
  ports: Ports,
  tenant: string,
  fields: DocumentFields,
  content: DocumentContent,
  options: Options,
): Promise<TakenDocument> => {
  const { catalog, files, queue } = ports
  const received = await receivedOf(ports, content, options)
  try {
    const digest = received?.digest ?? null
    const told =
      content.kind === 'url'
        ? { ...fields, name: fields.name ?? content.url }
        : { ...fields, ...(content.kind === 'text' && { format: fields.format ?? ('markdown' as const) }) }
    const name = told.name ?? options.key
    const id = documentIdOf(tenant, fields.collection, name === undefined ? { digest: digest ?? '' } : { name })
    const revision = newRevision()
    const of = { tenant, id, revision }
    const source = sourceOf(content)
    const about = {
      name: nameOf(content),
      ...(content.kind === 'file' && content.mediaType && { mediaType: content.mediaType }),
      ...(content.kind === 'file' && content.url && { url: content.url }),
    }
    const { access, ...document } = told
    const isShort = received !== null && isShortText(told.format ?? formatOfName(about.name), received.bytes)
    await received?.keep(of, about, { acceptedAt: Date.now(), access, source, document })
    if (content.kind === 'file' && content.parsed) await files.putParsed(of, content.parsed)
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
