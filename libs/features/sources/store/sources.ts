import { randomUUID } from 'node:crypto'
import type { NewSource, SourceView } from '@plumbline/contracts'
import { withScripts, type RedisClient } from '@plumbline/adapters/redis/client/client'
import { throughCall, withStoreErrors } from '@plumbline/adapters/redis/client/errors'
import { keys } from '@plumbline/adapters/redis/client/keys'
import { openDueQueue } from '@plumbline/adapters/redis/client/due-queue'
import askSource from './lua/ask-source.lua'
import putSource from './lua/put-source.lua'
import { type KeptSource, type RemovalMode, viewOfSource, type RequestedRun } from './source'

const mostSources = 100

export type SourceKey = { tenant: string; name: string }
export const sourceIdOf = ({ tenant, name }: SourceKey): string => `${tenant}/${name}`
export const sourceKeyOf = (id: string): SourceKey => {
  const [tenant = '', name = ''] = id.split('/')
  return { tenant, name }
}

const reading = (redis: RedisClient) => {
  const read = async (tenant: string, name: string, settings: string): Promise<SourceView> => {
    const [state, documents, held] = await Promise.all([
      redis.hgetall(keys.sourceState(tenant, name)),
      redis.hlen(keys.sourceDocuments(tenant, name)),
      redis.exists(keys.sourceLease(tenant, name)),
    ])
    return viewOfSource({ name, settings, state, documents, isHeld: held === 1 })
  }
  return {
    one: async (tenant: string, name: string): Promise<SourceView | null> => {
      const settings = await redis.hget(keys.sources(tenant), name)
      return settings === null ? null : read(tenant, name, settings)
    },
    all: async (tenant: string): Promise<SourceView[]> => {
      const all = Object.entries(await redis.hgetall(keys.sources(tenant)))
      const views = await Promise.all(all.map(([name, settings]) => read(tenant, name, settings)))
      return views.sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    ofCollection: async (tenant: string, collection: string): Promise<string[]> =>
      Object.entries(await redis.hgetall(keys.sources(tenant)))
        .filter(([, settings]) => (JSON.parse(settings) as KeptSource).collection === collection)
        .map(([name]) => name),
  }
}

export const openSources = (redis: RedisClient) => {
  const scripts = withScripts(redis, {
    sourcePut: { lua: putSource, numberOfKeys: 2 },
    sourceAsk: { lua: askSource, numberOfKeys: 2 },
  })
  const dueQueue = openDueQueue(redis, 'sourcesDue')
  const ask = async ({ tenant, name }: SourceKey, what: 'wanted' | 'removing', asked: string) => {
    const own = [keys.sources(tenant), keys.sourceState(tenant, name)]
    const noted = (await scripts.sourceAsk(...own, name, what, asked)) as 'noted' | 'gone' | 'removing'
    if (noted === 'noted') await dueQueue.schedule(sourceIdOf({ tenant, name }), Date.now())
    return noted
  }
  return throughCall(withStoreErrors, {
    ...reading(redis),
    /** `next` is the time of the next scheduled run. */
    put: async (
      tenant: string,
      name: string,
      { told, next }: { told: NewSource; next: number | null },
    ): Promise<'kept' | 'removing' | 'too-many'> => {
      const before = await redis.hget(keys.sources(tenant), name)
      const createdAt = before === null ? Date.now() : (JSON.parse(before) as KeptSource).createdAt
      const kept: KeptSource = { ...told, createdAt }
      const own = [keys.sources(tenant), keys.sourceState(tenant, name)]
      const done = await scripts.sourcePut(...own, name, JSON.stringify(kept), next ?? '', mostSources)
      if (done === 'kept' && next !== null) await dueQueue.schedule(sourceIdOf({ tenant, name }), next)
      return done as 'kept' | 'removing' | 'too-many'
    },
    /** Requests a run of the source. The run begins as soon as an ingestor has a free slot. */
    run: (tenant: string, name: string, confirmRemovals: boolean) =>
      ask({ tenant, name }, 'wanted', JSON.stringify({ id: randomUUID(), confirmRemovals } satisfies RequestedRun)),
    /** Requests a removal. The source is deleted only after its documents are removed, or detached from the source. */
    remove: (tenant: string, name: string, documents: RemovalMode) => ask({ tenant, name }, 'removing', documents),
  })
}
export type SourceStore = ReturnType<typeof openSources>
