import { useMemo } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ProblemError } from '@plumbline/client'
import type { Citation, DocumentView } from '@plumbline/contracts'
import { useSession } from '../session'

/** A warning about an outdated document. `mark` is the short text beside a citation, `words` the full warning. */
type Outdated = { mark: string; words: string }
export type OutdatedDocuments = ReadonlyMap<string, Outdated>

const replaced: Outdated = { mark: 'old version', words: 'This document has a newer version. Ask again to use it.' }
const unavailable: Outdated = { mark: 'not available', words: 'This document was deleted, or you cannot read it.' }

type Source = Pick<Citation, 'documentId' | 'version' | 'fetchedAt'>

const supersededBy = ({ title }: DocumentView): Outdated => ({
  mark: 'superseded',
  words: `The document “${title}” replaces this document.`,
})

const outdatedOf = (source: Source, documents: ReadonlyMap<string, DocumentView | null>): Outdated | undefined => {
  const document = documents.get(source.documentId)
  if (document === null) return unavailable
  if (!document) return undefined
  if (source.version !== (document.served ?? document.version)) return replaced
  const later = [...documents.values()].find((other) => other?.supersedes?.includes(source.documentId))
  return later ? supersededBy(later) : undefined
}

const minuteMs = 60_000

/** Returns the outdated documents of an answer by id. Web pages and results of lookups are never outdated. */
export const useOutdated = (sources: readonly Source[]): OutdatedDocuments => {
  const { client } = useSession()
  const queries = useQueryClient()
  const stored = useMemo(
    () => sources.filter(({ version, fetchedAt }) => version !== undefined && fetchedAt === undefined),
    [sources],
  )
  const ids = [...new Set(stored.map(({ documentId }) => documentId))].sort()
  const read = async (id: string): Promise<[string, DocumentView | null]> => {
    const queryFn = ({ signal }: { signal: AbortSignal }) => client.document(id, { signal })
    try {
      return [id, await queries.fetchQuery({ queryKey: ['document', id], queryFn, staleTime: minuteMs })]
    } catch (error) {
      if (error instanceof ProblemError && error.problem.status === 404) return [id, null]
      throw error
    }
  }
  const { data } = useQuery({
    queryKey: ['source-documents', ids],
    queryFn: async () => new Map(await Promise.all(ids.map(read))),
    enabled: ids.length > 0,
    staleTime: minuteMs,
  })
  return useMemo(
    () =>
      new Map(
        stored.flatMap((source) => {
          const outdated = data && outdatedOf(source, data)
          return outdated ? [[source.documentId, outdated]] : []
        }),
      ),
    [stored, data],
  )
}
