import { openCatalog, type RedisClient } from '@plumbline/adapters/redis'
import type { CollectionCard } from '@plumbline/skills/skill/skill'

/** Returns the names and descriptions of a tenant's collections, for the stages. */
export type CardCatalog = { cards(tenant: string, names: string[], signal: AbortSignal): Promise<CollectionCard[]> }

/** Reads the descriptions of a tenant's collections from the catalog in Redis. */
export const redisCards = (redis: RedisClient): CardCatalog => {
  const catalog = openCatalog(redis)
  return {
    cards: async (tenant, names) => {
      const views = await Promise.all(names.map((name) => catalog.collection(tenant, name)))
      return views.flatMap((view) =>
        view ? [{ name: view.name, description: view.description, ...(view.made && { made: view.made }) }] : [],
      )
    },
  }
}
