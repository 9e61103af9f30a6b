import { ask, isThereAlready, type Api } from './api'
import type { Names } from './names'
import type { Schemas } from '@qdrant/js-client-rest'

export type Quantisation = 'none' | 'scalar' | 'binary'

const quantised: Record<Quantisation, Schemas['QuantizationConfig'] | null> = {
  none: null,
  scalar: { scalar: { type: 'int8', quantile: 0.99, memory: 'pinned' } },
  binary: { binary: { memory: 'pinned' } },
}

const keyword = { type: 'keyword', enable_hnsw: false } as const
const integer = { type: 'integer', enable_hnsw: false } as const
type Indexes = Record<string, Schemas['PayloadSchemaParams']>

const labels = { collection: keyword, documentId: keyword, pairs: keyword, access: keyword, version: keyword } satisfies Indexes
/** Every query names its tenant, so that the graph of each tenant is the only one that is ever walked. */
const pointIndexes: Indexes = { tenant: { type: 'keyword', is_tenant: true }, ...labels, position: integer, epoch: integer }
const manifestIndexes: Indexes = { tenant: { type: 'keyword', is_tenant: true }, ...labels, alias: keyword, homes: keyword, size: integer }

export const vectorNames = { dense: 'dense', words: 'words' } as const

const passageCollection = (dimensions: number, quantisation: Quantisation): Schemas['CreateCollection'] => ({
  vectors: { [vectorNames.dense]: { size: dimensions, distance: 'Cosine', ...(quantisation !== 'none' && { memory: 'cold' }) } },
  sparse_vectors: { [vectorNames.words]: { modifier: 'idf' } },
  hnsw_config: { m: 0, payload_m: 16 },
  quantization_config: quantised[quantisation],
})

export type Collections = {
  /** The collection that stands behind an alias just now. */
  behind(alias: string, signal: AbortSignal): Promise<string | undefined>
  aliases(signal: AbortSignal): Promise<{ alias: string; collection: string }[]>
  /** All that hold passages, also those that are being built or were left. */
  all(signal: AbortSignal): Promise<string[]>
  /** Where the passages of a space are written, made where it is missing. */
  home(alias: string, dimensions: number, signal: AbortSignal): Promise<string>
  documents(signal: AbortSignal): Promise<void>
  build(collection: string, dimensions: number, signal: AbortSignal): Promise<void>
  drop(collection: string, signal: AbortSignal): Promise<void>
  /** Puts another collection behind an alias, in one step. */
  pointTo(alias: string, collection: string, signal: AbortSignal): Promise<void>
}

export const collectionsOf = (api: Api, names: Names, quantisation: Quantisation): Collections => {
  const make = async (collection: string, settings: Schemas['CreateCollection'], indexes: Indexes, signal: AbortSignal): Promise<void> => {
    await ask(signal, (init) => api.createCollection({ collection_name: collection, ...settings }, init)).catch((error: unknown) => {
      if (!isThereAlready(error)) throw error
    })
    for (const [field, schema] of Object.entries(indexes))
      await ask(signal, (init) => api.createFieldIndex({ collection_name: collection, wait: true, field_name: field, field_schema: schema }, init))
  }
  const aliases: Collections['aliases'] = async (signal) => {
    const found = await ask(signal, (init) => api.getCollectionsAliases({}, init))
    return found.aliases.filter(({ alias_name: alias }) => alias.startsWith(names.spaces)).map((one) => ({ alias: one.alias_name, collection: one.collection_name }))
  }
  const behind: Collections['behind'] = async (alias, signal) => (await aliases(signal)).find((one) => one.alias === alias)?.collection
  const build: Collections['build'] = (collection, dimensions, signal) => make(collection, passageCollection(dimensions, quantisation), pointIndexes, signal)
  const point = (actions: Schemas['AliasOperations'][], signal: AbortSignal): Promise<unknown> => ask(signal, (init) => api.updateAliases({ actions }, init))

  return {
    behind,
    aliases,
    build,
    all: async (signal) => {
      const found = await ask(signal, (init) => api.getCollections({}, init))
      return found.collections.map(({ name }) => name).filter((name) => name.startsWith(names.spaces))
    },
    home: async (alias, dimensions, signal) => {
      const known = await behind(alias, signal)
      if (known !== undefined) return known
      const first = names.first(alias)
      await build(first, dimensions, signal)
      // Whoever is first names it: the alias stands only where everything behind it is ready.
      const named = await behind(alias, signal)
      if (named !== undefined) return named
      await point([{ create_alias: { collection_name: first, alias_name: alias } }], signal)
      return first
    },
    documents: (signal) => make(names.documents, { vectors: {} }, manifestIndexes, signal),
    drop: async (collection, signal) => void (await ask(signal, (init) => api.deleteCollection({ collection_name: collection }, init))),
    pointTo: async (alias, collection, signal) =>
      void (await point([{ delete_alias: { alias_name: alias } }, { create_alias: { collection_name: collection, alias_name: alias } }], signal)),
  }
}
