import type { Schemas } from '@qdrant/js-client-rest'
import { ask, type Api } from './api'

type Action = Schemas['AliasOperations']

export type Standing = { alias: string; collection: string }

export const naming = (alias: string, collection: string): Action => ({
  create_alias: { collection_name: collection, alias_name: alias },
})
export const unnaming = (alias: string): Action => ({ delete_alias: { alias_name: alias } })

export type Aliases = {
  standing(signal: AbortSignal): Promise<Standing[]>
  /** The collection that stands behind an alias just now. */
  behind(alias: string, signal: AbortSignal): Promise<string | undefined>
  /** All of the actions in one step, or none. */
  change(signal: AbortSignal, ...actions: Action[]): Promise<void>
}

export const aliasesOf = (api: Api): Aliases => {
  const standing: Aliases['standing'] = async (signal) => {
    const found = await ask(signal, (init) => api.getCollectionsAliases({}, init))
    return found.aliases.map((one) => ({ alias: one.alias_name, collection: one.collection_name }))
  }
  return {
    standing,
    behind: async (alias, signal) => (await standing(signal)).find((one) => one.alias === alias)?.collection,
    change: async (signal, ...actions) => void (await ask(signal, (init) => api.updateAliases({ actions }, init))),
  }
}
