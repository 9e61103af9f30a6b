import type { RedisClient } from '@plumbline/adapters/redis/client/client'
import { openCatalog } from '@plumbline/adapters/redis/documents/catalog'
import type { CollectionCard } from '@plumbline/skills/skill/skill'

export type CardCatalog = { cards(tenant: string, names: string[], signal: AbortSignal): Promise<CollectionCard[]> }

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
