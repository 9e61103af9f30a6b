import { createHash } from 'node:crypto'
import type { Filters, Passage } from '@plumbline/contracts'
import { numberOf, type Range, rangeOf, ruledOut, timeOf } from '@plumbline/ports/passage-index/filters'
import type { IndexedDocument, Scope } from '@plumbline/ports/passage-index/passage-index'
import type { Condition, Filter } from './api'

const sha = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')
const slug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)

export const uuidOf = (...parts: string[]): string => {
  const hex = sha(parts)
  const variant = ((parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}

const longestBuildMs = 24 * 3_600_000

export const namesUnder = (prefix: string) => {
  if (!/^[\w-]{1,60}$/.test(prefix))
    throw new Error(
      `The prefix of the Qdrant collections is ${JSON.stringify(prefix)}. Use up to 60 letters, digits, - and _.`,
    )
  const spaces = `${prefix}.space.`
  const space = (name: string): string => `${spaces}${slug(name)}-${sha(name).slice(0, 8)}.`
  return {
    documents: `${prefix}.documents`,
    spaces,
    alias: (name: string, dimensions: number): string => `${space(name)}${dimensions}`,
    first: (alias: string): string => `${alias}.first`,
    next: (alias: string): string => `${alias}.${Date.now()}-${Math.random().toString(36).slice(2, 6)}`,
    building: (collection: string): string => `${collection}.building`,
    /** True if a rebuild created this collection over a day ago. No rebuild takes that long, so it was abandoned. */
    isGivenUp: (collection: string): boolean =>
      Number(/\.(\d+)-\w*$/.exec(collection)?.[1] ?? 0) < Date.now() - longestBuildMs,
  }
}
export type Names = ReturnType<typeof namesUnder>

export type Labels = {
  tenant: string
  collection: string
  documentId: string
  pairs: string[]
  /** The metadata values that are numbers or times. Range filters compare these values. */
  values: { name: string; number?: number; time?: number }[]
  access: string[]
}

/** `home` is the Qdrant collection that contains the point. `epoch` grows with each version of the document. */
export type PointPayload = Labels & { version: string; epoch: number; home: string; position: number; passage: Passage }

export type Manifest = {
  version: string
  epoch: number
  digest: string
  alias: string
  homes: string[]
  size: number
  since: number
  /** The progress of adding vectors of another embedder. `next` is the id of the next point to copy. */
  filling?: { alias: string; done: number; next: string | number | null }
}
/** Marks a removed document. The epoch is stored, so that every later version of the document gets a higher epoch. */
export type Tombstone = Pick<Manifest, 'version' | 'epoch'>
export type ManifestPayload = (Labels & Manifest) | Tombstone

const pair = (name: string, value: string): string => JSON.stringify([name, value])
/** Marks a document that everybody may read. No access tag equals this mark, because stored tags begin with a colon. */
const openToAll = 'open'
const tagged = (tag: string): string => `:${tag}`

const valueOf = (name: string, word: string): Labels['values'] => {
  const [number, time] = [numberOf(word), timeOf(word)]
  if (number === null && time === null) return []
  return [{ name, ...(number !== null && { number }), ...(time !== null && { time }) }]
}

export const labelsOf = (tenant: string, { id, collection, metadata, access }: IndexedDocument): Labels => ({
  tenant,
  collection,
  documentId: id,
  pairs: Object.entries(metadata).map(([name, value]) => pair(name, value)),
  values: Object.entries(metadata).flatMap(([name, value]) => valueOf(name, value)),
  access: access.length === 0 ? [openToAll] : access.map(tagged),
})

export const is = (key: string, value: string): Condition => ({ key, match: { value } })
export const isOneOf = (key: string, values: readonly string[]): Condition => ({
  key,
  match: { any: [...new Set(values)] },
})

/** The name of the metadata field is stored as a value, because a key in Qdrant cannot contain every character. */
const inRange = (name: string, { by, ...range }: Range): Condition => ({
  nested: { key: 'values', filter: { must: [is('name', name), { key: by, range }] } },
})

const conditionsOf = ([name, wanted]: [string, Filters[string]]): Condition[] => {
  if (typeof wanted === 'string') return [is('pairs', pair(name, wanted))]
  const [out, range] = [ruledOut(wanted), rangeOf(wanted)]
  const pairs = (words: readonly string[]): string[] => words.map((word) => pair(name, word))
  return [
    ...(wanted.in ? [isOneOf('pairs', pairs(wanted.in))] : []),
    ...(out.length > 0 ? [{ must_not: [isOneOf('pairs', pairs(out))] }] : []),
    ...(range ? [inRange(name, range)] : []),
  ]
}

export const within = (
  { tenant, collections, filters, access }: Scope,
  ...more: Condition[]
): Filter & { must: Condition[] } => ({
  must: [
    is('tenant', tenant),
    isOneOf('collection', collections),
    ...Object.entries(filters).flatMap(conditionsOf),
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
