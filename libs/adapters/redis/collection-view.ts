import type { CollectionSettings, CollectionView } from '@plumbline/contracts'
import { z } from 'zod'
import { describe, isCut } from './collection-description'
import { keys } from './keys'
import type { RedisClient } from './scripts'

/** A description is made from so many headings of a document at most. */
export const headingsPerDocument = 40
/** The titles and headings of a few documents say what these are about where all of them are told; those of more leave much out. */
const telling = 12

const olderMaxChars = 1_200
const older = z.array(z.number().int().min(1).max(6)).min(1)

/** Settings that were saved before documents could be cut by tokens name their heading levels alone. */
export const settingsOf = (held: string): CollectionSettings => {
  const { headingLevels, ...settings } = JSON.parse(held) as CollectionSettings & { headingLevels?: unknown }
  const levels = older.safeParse(headingLevels).data
  return levels && !settings.chunking
    ? { ...settings, chunking: { by: 'headings', levels, maxChars: olderMaxChars } }
    : settings
}

/** The access tags of who looks, or all of them. */
export type Reader = readonly string[] | 'all'

type State = Pick<CollectionView, 'name' | 'documents' | 'version' | 'embedder'>
/** A collection's documents and changes are told as far as its reader may know of them. */
export const stateOf = async (redis: RedisClient, tenant: string, name: string, reader: Reader): Promise<State> => {
  const [documents, changes, embedder, tagged] = await Promise.all([
    redis.zcard(keys.documentsOf(tenant, name)),
    redis.hget(keys.changes(tenant), name),
    redis.hget(keys.embedders(tenant), name),
    reader === 'all' ? [] : redis.hvals(keys.tagged(tenant, name)),
  ])
  const hidden = tagged.filter((tags) => !(JSON.parse(tags) as string[]).some((tag) => reader.includes(tag))).length
  return {
    name,
    documents: Math.max(0, documents - hidden),
    ...(reader === 'all' && { version: Number(changes ?? 0) }),
    ...(embedder !== null && { embedder }),
  }
}

/** A collection that nobody described is there as long as it has documents for its reader. */
export const viewOf = async (
  redis: RedisClient,
  tenant: string,
  name: string,
  held: string,
  reader: Reader,
): Promise<CollectionView | null> => {
  const state = await stateOf(redis, tenant, name, reader)
  const { documents } = state
  if (held !== '') return { ...state, ...settingsOf(held) }
  if (documents === 0) return null
  const headings = (await redis.hvals(keys.headings(tenant, name))).map((titles) => JSON.parse(titles) as string[])
  const leavesOut =
    documents > telling || headings.some(({ length }) => length > headingsPerDocument) || isCut(headings)
  return { ...state, made: leavesOut ? 'part' : 'whole', description: describe(headings) || `The collection ${name}` }
}
