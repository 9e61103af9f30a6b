import { useQuery } from '@tanstack/react-query'
import type { DocumentView } from '@plumbline/contracts'
import { useLive } from '../live'
import { useSession } from '../session'
import { isUnderWay } from './words'

const newerOf = (known: DocumentView, read: DocumentView | undefined): DocumentView =>
  read === undefined || read.updatedAt < known.updatedAt ? known : read

/** Returns a document of a list, and updates it until its processing ends. */
export const useDocument = (known: DocumentView): DocumentView => {
  const { client } = useSession()
  const { id } = known
  const { data } = useQuery({
    queryKey: ['document', id],
    queryFn: ({ signal }) => client.document(id, { signal }),
    initialData: known,
    initialDataUpdatedAt: new Date(known.updatedAt).getTime(),
    enabled: ({ state }) => isUnderWay(newerOf(known, state.data)),
  })
  const newest = newerOf(known, data)
  useLive(isUnderWay(newest) ? { documents: [id] } : {})
  return newest
}
