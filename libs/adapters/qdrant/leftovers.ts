import { ask, unlessAbsent, type Condition } from './api'
import type { Parts } from './parts'
import { is, ofDocument, type Tombstone } from './payload'

export type Leftovers = {
  /** One version of a document, where it was being written. */
  drop(collection: string, tenant: string, documentId: string, version: string, signal: AbortSignal): Promise<void>
  /** What is older than a version: replaced, of a writer that lost, or left by one that died. Who writes now writes a later epoch. */
  tidy(tenant: string, documentId: string, kept: Tombstone, signal: AbortSignal): Promise<void>
  /** How many points of a document a collection holds. */
  count(collection: string, tenant: string, documentId: string, must: Condition[], signal: AbortSignal): Promise<number>
  /** Whether there is anything of a document, whatever its manifest says. */
  exist(tenant: string, documentId: string, signal: AbortSignal): Promise<boolean>
}

export const leftoversIn = ({ api, names, collections }: Pick<Parts, 'api' | 'names' | 'collections'>): Leftovers => {
  const everywhere = async (signal: AbortSignal): Promise<string[]> => {
    const found = (await collections.standing(signal)).filter(({ alias }) => alias.startsWith(names.spaces))
    return [...new Set(found.map(({ collection }) => collection))]
  }
  const remove = async (
    collection: string,
    tenant: string,
    documentId: string,
    must: Condition[],
    mustNot: Condition[],
    signal: AbortSignal,
  ): Promise<void> => {
    const filter = { ...ofDocument(tenant, documentId, ...must), must_not: mustNot }
    await unlessAbsent<unknown>(
      ask(signal, (init) => api.deletePoints({ collection_name: collection, wait: true, filter }, init)),
      null,
    )
  }
  const count: Leftovers['count'] = async (collection, tenant, documentId, must, signal) => {
    const counted = ask(signal, (init) =>
      api.countPoints(
        { collection_name: collection, filter: ofDocument(tenant, documentId, ...must), exact: true },
        init,
      ),
    )
    return (await unlessAbsent(counted, { count: 0 })).count
  }
  return {
    count,
    drop: (collection, tenant, documentId, version, signal) =>
      remove(collection, tenant, documentId, [is('version', version)], [], signal),
    tidy: async (tenant, documentId, { version, epoch }, signal) => {
      for (const collection of await everywhere(signal))
        await remove(
          collection,
          tenant,
          documentId,
          [{ key: 'epoch', range: { lte: epoch } }],
          [is('version', version)],
          signal,
        )
    },
    exist: async (tenant, documentId, signal) => {
      for (const collection of await everywhere(signal))
        if ((await count(collection, tenant, documentId, [], signal)) > 0) return true
      return false
    },
  }
}
