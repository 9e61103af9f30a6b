import type { Attributes } from '@opentelemetry/api'
import { content, inSpan, isTracing, noteOnSpan } from '@plumbline/platform/tracing/spans'
import type { PassageIndex, SearchMethods } from '@plumbline/ports/passage-index/passage-index'

const waysIn = ({ similarity, mmr, bm25 }: SearchMethods): string[] =>
  Object.entries({ similarity, mmr, bm25 }).flatMap(([name, { k }]) => (k > 0 ? [name] : []))

export const tracedIndex = (index: PassageIndex, system: 'sqlite' | 'qdrant'): PassageIndex => {
  if (!isTracing()) return index
  const traced = async <T>(operation: string, more: () => Attributes, work: () => Promise<T>): Promise<T> =>
    inSpan(
      `${operation} passages`,
      () => ({
        kind: 'client',
        attributes: { 'db.system.name': system, 'db.operation.name': operation, ...more() },
      }),
      async () => {
        const found = await work()
        if (Array.isArray(found)) noteOnSpan(() => ({ 'db.response.returned_rows': found.length }))
        return found
      },
    )
  const nothing = () => ({})
  return {
    write: (tenant, document, passages, signal) =>
      traced(
        'write',
        () => ({ 'db.operation.batch.size': passages.length }),
        () => index.write(tenant, document, passages, signal),
      ),
    remove: (tenant, documentId, signal) => traced('remove', nothing, () => index.remove(tenant, documentId, signal)),
    search: (scope, query, ways, signal) =>
      traced(
        'search',
        () => ({
          'plumbline.search.ways': waysIn(ways),
          'plumbline.search.limit': ways.limit,
          'plumbline.search.collections': scope.collections.length,
          ...content(() => ({ 'gen_ai.retrieval.query.text': query.text })),
        }),
        () => index.search(scope, query, ways, signal),
      ),
    passages: (scope, documentId, span, signal) =>
      traced('read', nothing, () => index.passages(scope, documentId, span, signal)),
    count: (scope, signal) => index.count(scope, signal),
    ...(index.laterVectors && { laterVectors: index.laterVectors }),
    ...(index.renewOne && { renewOne: index.renewOne }),
    close: () => index.close(),
  }
}
