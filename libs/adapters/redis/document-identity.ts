import { createHash } from 'node:crypto'
import type { Chunking, DocumentFields, Format } from '@plumbline/contracts'

/** What names a document in its collection: its name, else its content. */
export type Naming = { name: string } | { digest: string }

const inBase36 = (hex: string): string => BigInt(`0x${hex}`).toString(36).padStart(24, '0').slice(-24)
const hashed = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** The same name in the same collection is the same document, whoever brings it and however often. */
export const documentIdOf = (tenant: string, collection: string, naming: Naming): string =>
  `d${inBase36(hashed(['document', tenant, collection, naming]))}`

export type Told = Omit<DocumentFields, 'format'> & { format?: Format | undefined }

const inOrder = (record: Readonly<Record<string, string>> | undefined): [string, string][] =>
  Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))

/** Of all but its content: what it is called, how it is read and cut, and who may see it. */
export const askedDigest = ({ title, format, metadata, date, supersedes, access }: Told, source: string): string =>
  hashed([source, title, format, inOrder(metadata), date, supersedes, [...(access ?? [])].sort()])

/** The same content, read and cut in the same way, is the same version. */
export const versionOf = (digest: string, asked: string, chunking: Chunking | undefined): string =>
  inBase36(hashed([digest, asked, chunking])).slice(0, 16)
