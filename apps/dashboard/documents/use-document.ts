import { useQueries } from '@tanstack/react-query'
import type { DocumentView } from '@plumbline/contracts'
import { useLive } from '../live'
import { useSession } from '../session'
import { isInProgress } from './labels'

const newerOf = (known: DocumentView, read: DocumentView | undefined): DocumentView =>
  read === undefined || read.updatedAt < known.updatedAt ? known : read

export const useDocuments = (known: readonly DocumentView[]): DocumentView[] => {
  const { client } = useSession()
  // A file that was uploaded twice is only one document, so remove the repetition.
  const unique = [...new Map(known.map((view) => [view.id, view])).values()]
  const read = useQueries({
    queries: unique.map((view) => ({
      queryKey: ['document', view.id],
      queryFn: ({ signal }: { signal: AbortSignal }) => client.document(view.id, { signal }),
      initialData: view,
      initialDataUpdatedAt: new Date(view.updatedAt).getTime(),
      enabled: ({ state }: { state: { data: DocumentView | undefined } }) => isInProgress(newerOf(view, state.data)),
    })),
  })
  const newest = new Map(unique.map((view, at) => [view.id, newerOf(view, read[at]?.data)]))
  useLive({ documents: [...newest.values()].flatMap((view) => (isInProgress(view) ? [view.id] : [])) })
  return known.map((view) => newest.get(view.id) ?? view)
}

export const useDocument = (known: DocumentView): DocumentView => useDocuments([known])[0] ?? known
