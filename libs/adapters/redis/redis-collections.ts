import type { Chunking, CollectionSettings, CollectionView } from '@plumbline/contracts'
import { headingsPerDocument, settingsOf, stateOf, viewOf, type Reader } from './collection-view'
import { keys } from './keys'
import { storing } from './redis-errors'
import { withScripts, type RedisClient } from './scripts'

/** A description is made from the headings of so many documents at most. */
const describedDocuments = 60

type Noted = { collection: string; access?: string[] | undefined }

/** What a collection without a written description is described by. Everybody reads that: it says nothing of what is not for everybody. */
const notingHeadings = (redis: RedisClient) => {
  const scripts = withScripts(redis)
  return (
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
    })
}

/** The collections of each tenant: their settings, what made their vectors, and how often they changed. */
export const redisCollections = (redis: RedisClient) => {
  const changed = async (tenant: string, name: string): Promise<void> =>
    void (await redis.hincrby(keys.changes(tenant), name, 1))

  const one = (tenant: string, name: string, reader: Reader): Promise<CollectionView | null> =>
    storing(async () => {
      const settings = await redis.hget(keys.collections(tenant), name)
      return settings === null ? null : viewOf(redis, tenant, name, settings, reader)
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
        const views = await Promise.all(all.map(([name, settings]) => viewOf(redis, tenant, name, settings, reader)))
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
    noteHeadings: notingHeadings(redis),
  }
}
export type RedisCollections = ReturnType<typeof redisCollections>
