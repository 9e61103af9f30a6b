import type { Schemas } from '@qdrant/js-client-rest'
import { ask, isThereAlready, type Api } from './api'
import type { Names } from './payload'

type Action = Schemas['AliasOperations']

export type AliasTarget = { alias: string; collection: string }

const naming = (alias: string, collection: string): Action => ({
  create_alias: { collection_name: collection, alias_name: alias },
})
const unnaming = (alias: string): Action => ({ delete_alias: { alias_name: alias } })

const aliasesOf = (api: Api) => {
  const standing = async (signal: AbortSignal): Promise<AliasTarget[]> => {
    const found = await ask(api.getCollectionsAliases, {}, signal)
    return found.aliases.map((one) => ({ alias: one.alias_name, collection: one.collection_name }))
  }
  return {
    standing,
    behind: async (alias: string, signal: AbortSignal) =>
      (await standing(signal)).find((one) => one.alias === alias)?.collection,
    change: async (signal: AbortSignal, ...actions: Action[]): Promise<void> =>
      void (await ask(api.updateAliases, { actions }, signal)),
  }
}

export type Quantisation = 'none' | 'scalar' | 'binary'

const quantised: Record<Quantisation, Schemas['QuantizationConfig'] | null> = {
  none: null,
  scalar: { scalar: { type: 'int8', quantile: 0.99, memory: 'pinned' } },
  binary: { binary: { memory: 'pinned' } },
}

const keyword = { type: 'keyword', enable_hnsw: false } as const
const float = { type: 'float', enable_hnsw: false } as const
const integer = { type: 'integer', enable_hnsw: false } as const
type Indexes = Record<string, Schemas['PayloadSchemaParams']>

const labels = {
  collection: keyword,
  documentId: keyword,
  pairs: keyword,
  'values[].name': keyword,
  'values[].number': float,
  'values[].time': float,
  access: keyword,
  version: keyword,
} satisfies Indexes
/** Every query filters by tenant. `is_tenant` makes Qdrant search only the vector graph of that tenant. */
const pointIndexes: Indexes = {
  tenant: { type: 'keyword', is_tenant: true },
  ...labels,
  position: integer,
  epoch: integer,
}
const manifestIndexes: Indexes = {
  tenant: { type: 'keyword', is_tenant: true },
  ...labels,
  alias: keyword,
  homes: keyword,
  size: integer,
}

export const vectorNames = { dense: 'dense', words: 'words' } as const

const denseVectors = (dimensions: number, quantisation: Quantisation): Schemas['CreateCollection'] => ({
  vectors: {
    [vectorNames.dense]: { size: dimensions, distance: 'Cosine', ...(quantisation !== 'none' && { memory: 'cold' }) },
  },
  hnsw_config: { m: 0, payload_m: 16 },
  quantization_config: quantised[quantisation],
})

/** Passages without vectors have 0 dimensions and are stored in a separate Qdrant collection. */
const passageCollection = (dimensions: number, quantisation: Quantisation): Schemas['CreateCollection'] => ({
  ...(dimensions === 0 ? { vectors: {} } : denseVectors(dimensions, quantisation)),
  sparse_vectors: { [vectorNames.words]: { modifier: 'idf' } },
})

/** Only Qdrant collections with an alias are used. Without an alias, the indexes may still be missing. */
export type Collections = Pick<ReturnType<typeof aliasesOf>, 'standing' | 'behind'> & {
  /** Returns the current Qdrant collection of the alias, followed by the new collections that a rebuild is filling. */
  homes(alias: string, dimensions: number, signal: AbortSignal): Promise<[string, ...string[]]>
  documents(signal: AbortSignal): Promise<void>
  /** Creates a new collection for a rebuild. Writers then write to the new collection and to the current collection. */
  build(collection: string, dimensions: number, signal: AbortSignal): Promise<void>
  turn(alias: string, collection: string, signal: AbortSignal): Promise<void>
  drop(collection: string, signal: AbortSignal): Promise<void>
  left(alias: string, signal: AbortSignal): Promise<string[]>
}

const make = async (
  api: Api,
  collection: string,
  settings: Schemas['CreateCollection'],
  indexes: Indexes,
  signal: AbortSignal,
): Promise<void> => {
  const made = { collection_name: collection, ...settings }
  await ask(api.createCollection, made, signal).catch((error: unknown) => {
    if (!isThereAlready(error)) throw error
  })
  for (const [field_name, field_schema] of Object.entries(indexes))
    await ask(api.createFieldIndex, { collection_name: collection, wait: true, field_name, field_schema }, signal)
}

export const collectionsOf = (api: Api, names: Names, quantisation: Quantisation): Collections => {
  const { standing, behind, change } = aliasesOf(api)

  /**
   * Creates the first collection of an alias. Several processes may call this function at once: all of them create the
   * same collection, and the alias is created last.
   */
  const begin = async (
    alias: string,
    settings: Schemas['CreateCollection'],
    indexes: Indexes,
    signal: AbortSignal,
  ): Promise<void> => {
    await make(api, names.first(alias), settings, indexes, signal)
    if ((await behind(alias, signal)) === undefined) await change(signal, naming(alias, names.first(alias)))
  }
  return {
    standing,
    behind,
    homes: async (alias, dimensions, signal) => {
      let now = await standing(signal)
      if (!now.some((one) => one.alias === alias)) {
        await begin(alias, passageCollection(dimensions, quantisation), pointIndexes, signal)
        now = await standing(signal)
      }
      const home = now.find((one) => one.alias === alias)?.collection ?? names.first(alias)
      return [home, ...now.filter((one) => one.alias.startsWith(`${alias}.`)).map(({ collection }) => collection)]
    },
    documents: async (signal) => {
      if ((await behind(names.documents, signal)) === undefined)
        await begin(names.documents, { vectors: {} }, manifestIndexes, signal)
    },
    build: async (collection, dimensions, signal) => {
      await make(api, collection, passageCollection(dimensions, quantisation), pointIndexes, signal)
      await change(signal, naming(names.building(collection), collection))
    },
    turn: (alias, collection, signal) =>
      change(signal, unnaming(alias), naming(alias, collection), unnaming(names.building(collection))),
    drop: async (collection, signal) => void (await ask(api.deleteCollection, { collection_name: collection }, signal)),
    left: async (alias, signal) => {
      const [home, found] = await Promise.all([behind(alias, signal), ask(api.getCollections, {}, signal)])
      return found.collections
        .map(({ name }) => name)
        .filter((name) => name.startsWith(`${alias}.`) && name !== home && names.isGivenUp(name))
    },
  }
}
