import { manualsCollection } from '@plumbline/contracts'
import { onlyMethod, type PassageIndex, type Scope } from '@plumbline/ports/passage-index/passage-index'

type ElsewhereInput = {
  scope: Scope
  query: string
  readable: () => Promise<readonly string[]>
  signal: AbortSignal
}

/**
 * If no searched collection contains a word of the query, returns another collection that contains one and that the
 * asker may read.
 */
export const findElsewhere = async (
  index: PassageIndex,
  { scope, query, readable, signal }: ElsewhereInput,
): Promise<string | undefined> => {
  const best = async (collections: readonly string[]): Promise<string | undefined> => {
    const words = { text: query, vector: null }
    const [found] = await index.search({ ...scope, collections }, words, onlyMethod('bm25', { k: 1 }), signal)
    return found?.passage.collection
  }
  if (scope.collections.length === 0 || (await best(scope.collections)) !== undefined) return undefined
  const others = (await readable()).filter((name) => name !== manualsCollection && !scope.collections.includes(name))
  return others.length === 0 ? undefined : best(others)
}
