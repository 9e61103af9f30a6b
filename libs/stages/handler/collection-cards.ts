import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import type { CollectionCard } from '@plumbline/skills/skill/skill'

/** Gives the stages the names and descriptions of a tenant's collections. */
export type CardCatalog = { cards(tenant: string, names: string[], signal: AbortSignal): Promise<CollectionCard[]> }

/** Returns a card catalog that reads the descriptions from Redis. */
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
