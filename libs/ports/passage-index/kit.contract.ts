import type { Passage } from '@plumbline/contracts'
import { onlyMethod, type IndexedPassage, type PassageIndex, type Scope, type SearchMethods } from './passage-index'

export const never = new AbortController().signal
export const dimensions = 8

/** Returns a vector near the given axis. `lean` is its angle to this axis. A larger angle means less similarity. */
export const pointing = (axis: number, lean = 0, towards = 0): Float32Array => {
  const vector = new Float32Array(dimensions)
  vector[axis] = Math.cos(lean)
  vector[towards] = (vector[towards] ?? 0) + Math.sin(lean)
  return vector
}

export const entry = (
  documentId: string,
  collection: string,
  text: string,
  vector = pointing(0),
  more: Partial<Pick<Passage, 'title' | 'headingPath' | 'position' | 'tables'>> = {},
): IndexedPassage => ({
  passage: {
    id: `${documentId}.${more.position ?? 0}`,
    documentId,
    collection,
    title: more.title ?? documentId,
    text,
    headingPath: more.headingPath ?? [],
    position: more.position ?? 0,
    ...(more.tables && { tables: more.tables }),
  },
  vector,
})

export const texts = (hits: { passage: { text: string } }[]): string[] => hits.map(({ passage }) => passage.text)
export const space = 'model'
export type ScopeInput = Partial<Scope> & Pick<Scope, 'tenant'>
type DocumentInput = {
  collection?: string
  metadata?: Record<string, string>
  access?: string[]
  version?: string
  space?: string
}

export type Kit = ReturnType<typeof kitOf>

export const kitOf = (index: () => PassageIndex) => {
  const scopeOf = (asked: ScopeInput): Scope => ({ collections: ['main'], filters: {}, access: 'all', ...asked })
  const write = (
    tenant: string,
    id: string,
    passages: IndexedPassage[],
    { collection = 'main', metadata = {}, access = [], version = '1', space: own = space }: DocumentInput = {},
  ) => index().write(tenant, { id, collection, version, metadata, access, space: own }, passages, never)
  const search = async (
    asked: ScopeInput,
    text: string,
    vector: Float32Array,
    ways: SearchMethods,
    signal = never,
    own = space,
  ) =>
    (await index().search(scopeOf(asked), { text, vector: { space: own, values: vector } }, ways, signal)).map(
      ({ passage, scores }) => ({ passage, score: scores.similarity ?? scores.mmr ?? scores.bm25 ?? NaN }),
    )
  const similar = (asked: ScopeInput, vector: Float32Array, k: number, signal = never) =>
    search(asked, '', vector, onlyMethod('similarity', { k }), signal)
  const diverse = (asked: ScopeInput, vector: Float32Array, settings: { k: number; fetch: number; lambda: number }) =>
    search(asked, '', vector, onlyMethod('mmr', settings))
  const matching = (asked: ScopeInput, text: string, k: number, signal = never) =>
    search(asked, text, pointing(0), onlyMethod('bm25', { k }), signal)

  let tenants = 0
  const newTenant = (): string => `tenant-${(tenants += 1)}`
  const put = (
    tenant: string,
    id: string,
    text: string,
    more: DocumentInput & { vector?: Float32Array; title?: string; headingPath?: string[] } = {},
  ) => write(tenant, id, [entry(id, more.collection ?? 'main', text, more.vector, more)], more)
  const everywhere = async (scope: ScopeInput, query: string, vector = pointing(0)): Promise<string[][]> => [
    texts(await similar(scope, vector, 50)),
    texts(await diverse(scope, vector, { k: 50, fetch: 50, lambda: 0.5 })),
    texts(await matching(scope, query, 50)),
  ]
  return { index, scopeOf, write, search, similar, diverse, matching, newTenant, put, everywhere }
}
