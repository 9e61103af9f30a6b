import type { Chunking, CollectionSettings, CollectionView } from '@plumbline/contracts'
import { withScripts, type RedisClient, type Script } from '../client/client'
import { throughCall, withStoreErrors } from '../client/errors'
import { keys } from '../client/keys'
import noteHeadings from './lua/note-headings.lua'
import removeCollection from './lua/remove-collection.lua'

const describedDocuments = 60
const longest = 1_200

const different = (titlesOfDocuments: string[][]): string[] =>
  [...new Set(titlesOfDocuments.flat().map((each) => each.trim().toLowerCase()))].filter((each) => each !== '')

export const isCut = (titlesOfDocuments: string[][]): boolean =>
  different(titlesOfDocuments).reduce((sum, { length }) => sum + length + 2, 0) > longest

/**
 * Names each document with its title and its first headings. The documents take turns until the text is full, so
 * that a long document does not hide the topics of the others.
 */
export const descriptionOf = (titlesOfDocuments: string[][]): string => {
  const lines = titlesOfDocuments.map((): string[] => [])
  const seen = new Set<string>()
  let length = 0
  for (let turn = 0; turn < Math.max(0, ...titlesOfDocuments.map((titles) => titles.length)); turn += 1)
    lines.forEach((line, at) => {
      const title = titlesOfDocuments[at]?.[turn]?.trim() ?? ''
      if (title === '' || seen.has(title.toLowerCase()) || length + title.length > longest) return
      seen.add(title.toLowerCase())
      line.push(title)
      length += title.length + 2
    })
  return lines
    .filter((line) => line.length > 0)
    .map(([title = '', ...headings]) => (headings.length > 0 ? `${title}: ${headings.join(', ')}` : title))
    .join('; ')
}

const headingsPerDocument = 40
/** The generated description of a larger collection is marked as partial, because it leaves out too much. */
const telling = 12

/** The access tags of a reader, or `all` if the reader has no restriction. */
export type Reader = readonly string[] | 'all'

type State = Pick<CollectionView, 'name' | 'documents' | 'version' | 'embedder'>
/** Hides the change count from restricted readers, because it includes changes of documents that they may not see. */
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

/** Returns null if the collection has no settings and no documents that this reader may see. */
const viewOf = async (
  redis: RedisClient,
  tenant: string,
  name: string,
  held: string,
  reader: Reader,
): Promise<CollectionView | null> => {
  const state = await stateOf(redis, tenant, name, reader)
  const { documents } = state
  if (held !== '') return { ...state, ...(JSON.parse(held) as CollectionSettings) }
  if (documents === 0) return null
  const headings = (await redis.hvals(keys.headings(tenant, name))).map((titles) => JSON.parse(titles) as string[])
  const leavesOut =
    documents > telling || headings.some(({ length }) => length > headingsPerDocument) || isCut(headings)
  return {
    ...state,
    made: leavesOut ? 'part' : 'whole',
    description: descriptionOf(headings) || `The collection ${name}`,
  }
}

/**
 * Stores the headings of a document for the description of its collection. Stores no headings of a document with access
 * tags, because everybody may read the description.
 */
const headingsNoted =
  ({ headingsNote }: Record<'headingsNote', Script>) =>
  async (
    tenant: string,
    { collection, access = [] }: { collection: string; access?: string[] | undefined },
    documentId: string,
    title: string,
    headings: string[],
  ): Promise<void> =>
    void (await headingsNote(
      keys.documentsOf(tenant, collection),
      keys.headings(tenant, collection),
      keys.tagged(tenant, collection),
      documentId,
      JSON.stringify([title, ...headings.slice(0, headingsPerDocument)]),
      describedDocuments,
      access.length > 0 ? JSON.stringify(access) : '',
    ))

const indexingOf =
  (redis: RedisClient) =>
  async (tenant: string, name: string): Promise<Pick<CollectionView, 'chunking' | 'embedder'>> => {
    const [held, embedder] = await Promise.all([
      redis.hget(keys.collections(tenant), name),
      redis.hget(keys.embedders(tenant), name),
    ])
    const { chunking } = held ? (JSON.parse(held) as Partial<CollectionSettings>) : {}
    return { ...(chunking && { chunking }), ...(embedder !== null && { embedder }) }
  }

export const redisCollections = (redis: RedisClient) => {
  const scripts = withScripts(redis, {
    headingsNote: { lua: noteHeadings, numberOfKeys: 3 },
    collectionRemove: { lua: removeCollection, numberOfKeys: 7 },
  })
  const changed = async (tenant: string, name: string): Promise<void> =>
    void (await redis.hincrby(keys.changes(tenant), name, 1))

  return throughCall(withStoreErrors, {
    changed,
    one: async (tenant: string, name: string, reader: Reader = 'all'): Promise<CollectionView | null> => {
      const settings = await redis.hget(keys.collections(tenant), name)
      return settings === null ? null : viewOf(redis, tenant, name, settings, reader)
    },
    put: async (tenant: string, name: string, settings: CollectionSettings): Promise<CollectionView> => {
      await redis.hset(keys.collections(tenant), name, JSON.stringify(settings))
      await changed(tenant, name)
      return { ...(await stateOf(redis, tenant, name, 'all')), ...settings }
    },
    /** Removes a collection but keeps its change count, so that old cached results never match a new collection. */
    remove: async (tenant: string, name: string): Promise<boolean> =>
      (await scripts.collectionRemove(
        keys.documentsOf(tenant, name),
        keys.headings(tenant, name),
        keys.tagged(tenant, name),
        keys.collections(tenant),
        keys.embedders(tenant),
        keys.changes(tenant),
        keys.titles(tenant, name),
        name,
      )) === 1,
    all: async (tenant: string, reader: Reader = 'all'): Promise<CollectionView[]> => {
      const all = Object.entries(await redis.hgetall(keys.collections(tenant)))
      const views = await Promise.all(all.map(([name, settings]) => viewOf(redis, tenant, name, settings, reader)))
      return views.filter((view) => view !== null).sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    chunking: async (tenant: string, name: string): Promise<Chunking | undefined> => {
      const held = await redis.hget(keys.collections(tenant), name)
      return held ? (JSON.parse(held) as CollectionSettings).chunking : undefined
    },
    indexing: indexingOf(redis),
    claimEmbedder: async (tenant: string, name: string, embedder: string): Promise<string> => {
      const key = keys.embedders(tenant)
      const [, holder] = await Promise.all([redis.hsetnx(key, name, embedder), redis.hget(key, name)])
      return holder ?? embedder
    },
    useEmbedder: async (tenant: string, name: string, embedder: string): Promise<void> => {
      if ((await redis.hget(keys.embedders(tenant), name)) === embedder) return
      await redis.hset(keys.embedders(tenant), name, embedder)
      await changed(tenant, name)
    },
    forgetEmbedder: async (tenant: string, name: string): Promise<void> =>
      void (await redis.hdel(keys.embedders(tenant), name)),
    noteHeadings: headingsNoted(scripts),
  })
}
