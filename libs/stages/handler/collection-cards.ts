import { openCatalog, type RedisClient } from '@plumbline/adapters/redis'
import type { CollectionCard } from '@plumbline/skills/skill/skill'

/** What a stage may know of a tenant's collections: their names and descriptions. */
export type CardCatalog = { cards(tenant: string, names: string[], signal: AbortSignal): Promise<CollectionCard[]> }

/** The descriptions of a tenant's collections, as the catalog in Redis holds them. */
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
