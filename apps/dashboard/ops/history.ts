import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { useSession } from '../session'

const hour = 3_600_000
/** The time ranges of the charts. The first one is the default. */
export const ranges = [
  { name: 'last 24 h', id: '24h', ms: 24 * hour },
  { name: 'last hour', id: '1h', ms: hour },
  { name: 'last 7 days', id: '7d', ms: 7 * 24 * hour },
  { name: 'last 30 days', id: '30d', ms: 30 * 24 * hour },
] as const

export type Chosen = { range: (typeof ranges)[number]; tenant?: string; policy?: string }

/** Returns the range, tenant and policy from the address, and a function to set them. */
export const useChosen = (): [Chosen, (name: 'range' | 'tenant' | 'policy', value: string) => void] => {
  const [params, setParams] = useSearchParams()
  const [tenant, policy] = [params.get('tenant'), params.get('policy')]
  return [
    {
      range: ranges.find(({ id }) => id === params.get('range')) ?? ranges[0],
      ...(tenant !== null && { tenant }),
      ...(policy !== null && { policy }),
    },
    (name, value) =>
      setParams((before) => {
        const next = new URLSearchParams(before)
        if (value === '') next.delete(name)
        else next.set(name, value)
        return next
      }),
  ]
}

export const useHistory = ({ range, tenant, policy }: Chosen) => {
  const { client } = useSession()
  return useQuery({
    queryKey: ['ops', 'history', range.id, tenant, policy],
    queryFn: ({ signal }) =>
      client.history({
        from: new Date(Date.now() - range.ms).toISOString(),
        ...(tenant !== undefined && { tenant }),
        ...(policy !== undefined && { policy }),
        signal,
      }),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  })
}
