import type { Chunking, CollectionSettings, CollectionView } from '@plumbline/contracts'
import { z } from 'zod'
import { describe, isCut } from './collection-description'
import { keys } from './keys'
import { storing } from './redis-errors'
import { withScripts, type RedisClient } from './scripts'

/** A description is made from the headings of so many documents at most. */
const describedDocuments = 60
const headingsPerDocument = 40
/** The titles and headings of a few documents say what these are about where all of them are told; those of more leave much out. */
const telling = 12

type Noted = { collection: string; access?: string[] | undefined }

const olderMaxChars = 1_200
const older = z.array(z.number().int().min(1).max(6)).min(1)

/** Settings that were saved before documents could be cut by tokens name their heading levels alone. */
const settingsOf = (held: string): CollectionSettings => {
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
const stateOf = async (redis: RedisClient, tenant: string, name: string, reader: Reader): Promise<State> => {
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

/** The collections of each tenant: their settings, what made their vectors, and how often they changed. */
export const redisCollections = (redis: RedisClient) => {
  const scripts = withScripts(redis)
  const changed = async (tenant: string, name: string): Promise<void> =>
    void (await redis.hincrby(keys.changes(tenant), name, 1))

  /** A collection that nobody described is there as long as it has documents for its reader. */
  const viewOf = async (tenant: string, name: string, held: string, reader: Reader): Promise<CollectionView | null> => {
    const state = await stateOf(redis, tenant, name, reader)
    const { documents } = state
    if (held !== '') return { ...state, ...settingsOf(held) }
    if (documents === 0) return null
    const headings = (await redis.hvals(keys.headings(tenant, name))).map((titles) => JSON.parse(titles) as string[])
    const leavesOut =
      documents > telling || headings.some(({ length }) => length > headingsPerDocument) || isCut(headings)
    return { ...state, made: leavesOut ? 'part' : 'whole', description: describe(headings) || `The collection ${name}` }
  }
  const one = (tenant: string, name: string, reader: Reader): Promise<CollectionView | null> =>
    storing(async () => {
      const settings = await redis.hget(keys.collections(tenant), name)
      return settings === null ? null : viewOf(tenant, name, settings, reader)
    })

  return {
    one,
    changed: (tenant: string, name: string): Promise<void> => storing(() => changed(tenant, name)),
    put: (tenant: string, name: string, settings: CollectionSettings): Promise<CollectionView> =>
      storing(async () => {
        await redis.hset(keys.collections(tenant), name, JSON.stringify(settings))
        await changed(tenant, name)
        return { ...(await stateOf(redis, tenant, name, 'all')), ...settings }
      }),
    all: (tenant: string, reader: Reader): Promise<CollectionView[]> =>
      storing(async () => {
        const all = Object.entries(await redis.hgetall(keys.collections(tenant)))
        const views = await Promise.all(all.map(([name, settings]) => viewOf(tenant, name, settings, reader)))
        return views.filter((view) => view !== null).sort((a, b) => (a.name < b.name ? -1 : 1))
      }),
    chunking: async (tenant: string, name: string): Promise<Chunking | undefined> => {
      const held = await redis.hget(keys.collections(tenant), name)
      return held ? settingsOf(held).chunking : undefined
    },
    /** The first embedder stays a collection's own until it is forgotten; returns which it is. */
    claimEmbedder: (tenant: string, name: string, embedder: string): Promise<string> =>
      storing(async () => {
        await redis.hsetnx(keys.embedders(tenant), name, embedder)
        return (await redis.hget(keys.embedders(tenant), name)) ?? embedder
      }),
    forgetEmbedder: (tenant: string, name: string): Promise<void> =>
      storing(async () => void (await redis.hdel(keys.embedders(tenant), name))),
    /** What a collection without a written description is described by. Everybody reads that: it says nothing of what is not for everybody. */
    noteHeadings: (
      tenant: string,
      { collection, access = [] }: Noted,
      documentId: string,
      title: string,
      headings: string[],
    ): Promise<void> =>
      storing(async () => {
        const [listed, noted, tagged] = [keys.documentsOf, keys.headings, keys.tagged].map((key) =>
          key(tenant, collection),
        ) as [string, string, string]
        const titles = JSON.stringify([title, ...headings.slice(0, headingsPerDocument)])
        await scripts.headingsNote(
          listed,
          noted,
          tagged,
          documentId,
          titles,
          describedDocuments,
          access.length > 0 ? JSON.stringify(access) : '',
        )
      }),
  }
}
export type RedisCollections = ReturnType<typeof redisCollections>
