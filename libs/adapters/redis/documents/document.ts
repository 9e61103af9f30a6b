import { createHash } from 'node:crypto'
import type {
  Chunking,
  DocumentFields,
  DocumentOrigin,
  DocumentSource,
  DocumentView,
  Format,
  VectorProgress,
} from '@plumbline/contracts'

/** A document from an earlier release has no `source`. */
export type KeptDocument = RequestedFields & { source?: DocumentSource; from?: DocumentOrigin }
export type DocumentHash = Record<string, string>

const iso = (ms: string | undefined): string => new Date(Number(ms)).toISOString()
const json = <T>(text: string | undefined): T | undefined => (text ? (JSON.parse(text) as T) : undefined)

export const parseDocument = ({ document }: DocumentHash): KeptDocument => JSON.parse(document ?? '{}') as KeptDocument

const lastOf = (path: string): string => path.split(/[/\\]/).at(-1) ?? path

const callName = ({ title, name, source }: KeptDocument, found: string | undefined): string =>
  title ??
  (found ||
    lastOf(name ?? (source?.kind === 'file' ? source.file : source?.kind === 'url' ? source.url : 'A document')))

const progressOf = ({ passages, percent, pages, ofPages }: DocumentHash): DocumentView['progress'] => ({
  passages: Number(passages ?? 0),
  percent: Number(percent ?? 0),
  ...(pages && { pages: Number(pages) }),
  ...(ofPages && { ofPages: Number(ofPages) }),
})

export const viewOf = (id: string, tenant: string, held: DocumentHash): DocumentView | null => {
  if (held.tenant !== tenant) return null
  const { status, task, version, digest, served, servedVersion, revision, error, problem } = held
  const { ownMetadata, notes, warnings, vectors } = held
  const document = parseDocument(held)
  const older = served && served !== revision
  return {
    id,
    ...document,
    title: callName(document, held.title),
    status: status as DocumentView['status'],
    ...(task && { task: task as NonNullable<DocumentView['task']> }),
    progress: progressOf(held),
    ...(version && { version }),
    ...(digest && { sha256: digest }),
    ...(older && servedVersion && { served: servedVersion }),
    ...(error && { error: older ? `${error} Questions still find the previous version.` : error }),
    ...(problem && { problem: json<NonNullable<DocumentView['problem']>>(problem) }),
    ...(ownMetadata && { ownMetadata: json<Record<string, string>>(ownMetadata) }),
    ...(notes && { notes: json<string[]>(notes) }),
    ...(vectors && !older && { vectors: json<VectorProgress>(vectors) }),
    ...(warnings && { warnings: json<NonNullable<DocumentView['warnings']>>(warnings) }),
    createdAt: iso(held.createdAt),
    updatedAt: iso(held.updatedAt),
  }
}

export type Naming = { name: string } | { digest: string }

const inBase36 = (hex: string): string => BigInt(`0x${hex}`).toString(36).padStart(24, '0').slice(-24)
const hashed = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** Documents with the same name in the same collection have the same id, even from different uploaders. */
export const documentIdOf = (tenant: string, collection: string, naming: Naming): string =>
  `d${inBase36(hashed(['document', tenant, collection, naming]))}`

export type RequestedFields = Omit<DocumentFields, 'format'> & { format?: Format | undefined }

const sortedEntries = (record: Readonly<Record<string, string>> | undefined): [string, string][] =>
  Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))

export const fieldsDigest = (
  { title, format, metadata, date, supersedes, access }: RequestedFields,
  source: string,
): string => hashed([source, title, format, sortedEntries(metadata), date, supersedes, [...(access ?? [])].sort()])

export const digestOf = (value: unknown): string => inBase36(hashed(value)).slice(0, 16)

export const versionOf = (digest: string, asked: string, chunking: Chunking | undefined): string =>
  digestOf([digest, asked, chunking])
