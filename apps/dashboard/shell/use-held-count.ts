import { useQuery } from '@tanstack/react-query'
import { useLive } from '../live'
import { mayUse, useSession } from '../session'

export const useHeldCount = (): number => {
  const { client, me } = useSession()
  const isReviewer = mayUse(me, 'reviewer')
  useLive(isReviewer ? { desk: true } : {})
  const { data } = useQuery({
    queryKey: ['desk', 'count'],
    queryFn: ({ signal }) => client.reviews({ limit: 1, signal }),
    enabled: isReviewer,
  })
  return data?.counts.total ?? 0
}
