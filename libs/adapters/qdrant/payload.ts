import type { Passage } from '@plumbline/contracts'
import type { IndexedDocument, Scope } from '@plumbline/ports/passage-index'
import type { Condition, Filter } from './api'

/** What a query may be narrowed by: of points and of manifests alike. */
export type Labels = { tenant: string; collection: string; documentId: string; pairs: string[]; access: string[] }

/** `home` is the collection a point was put into: copies say where they are. */
export type PointPayload = Labels & { version: string; epoch: number; home: string; position: number; passage: Passage }

/** Which version of a document counts, and which collections hold the whole of it. */
export type Manifest = {
  version: string
  epoch: number
  digest: string
  alias: string
  homes: string[]
  size: number
  since: number
}
/** Of a removed document only the order of its versions is kept. */
export type Tombstone = Pick<Manifest, 'version' | 'epoch'>
export type ManifestPayload = (Labels & Manifest) | Tombstone

const pair = (name: string, value: string): string => JSON.stringify([name, value])
/** No tag reads like this: those begin with a colon. */
const openToAll = 'open'
const tagged = (tag: string): string => `:${tag}`

export const labelsOf = (tenant: string, { id, collection, metadata, access }: IndexedDocument): Labels => ({
  tenant,
  collection,
  documentId: id,
  pairs: Object.entries(metadata).map(([name, value]) => pair(name, value)),
  access: access.length === 0 ? [openToAll] : access.map(tagged),
})

export const is = (key: string, value: string): Condition => ({ key, match: { value } })
export const isOneOf = (key: string, values: readonly string[]): Condition => ({
  key,
  match: { any: [...new Set(values)] },
})

/** Every filter begins with its tenant. */
export const within = (
  { tenant, collections, filters, access }: Scope,
  ...more: Condition[]
): Filter & { must: Condition[] } => ({
  must: [
    is('tenant', tenant),
    isOneOf('collection', collections),
    ...Object.entries(filters).map(([name, value]) => is('pairs', pair(name, value))),
    ...(access === 'all' ? [] : [isOneOf('access', [openToAll, ...access.map(tagged)])]),
    ...more,
  ],
})

export const ofDocument = (
  tenant: string,
  documentId: string,
  ...more: Condition[]
): Filter & { must: Condition[] } => ({
  must: [is('tenant', tenant), is('documentId', documentId), ...more],
})
