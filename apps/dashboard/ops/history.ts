import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import type { OpsHistory } from '@plumbline/contracts'
import { useSession } from '../session'
import { sum } from './figures'

const [minute, quarter, hour] = [60_000, 900_000, 3_600_000]
/** The time ranges of the charts. The first one is the default: the part of the last day that has data. */
export const ranges = [
  { name: 'automatic', id: 'auto', ms: 24 * hour },
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

const isEmpty = ({ runs, stages }: OpsHistory['points'][number]): boolean =>
  runs.asked + sum(runs.ended) + sum(runs.parked) + stages.reduce((all, { done }) => all + done, 0) === 0

/** Keep this many points at least, so that a chart of a new system is more than a single point. */
const fewestPoints = 6

/** Drops the points before the first data, so that a chart of a new system is not mostly empty. */
export const fitted = (history: OpsHistory): OpsHistory => {
  const first = history.points.findIndex((point) => !isEmpty(point))
  const skipped = Math.max(0, Math.min(first, history.points.length - fewestPoints))
  const points = history.points.slice(skipped)
  return { ...history, points, from: points[0]?.at ?? history.from }
}

/** The gateway counts by the minute over this time at most. */
const byMinuteMs = 3 * hour

/**
 * Returns a time shortly before the first data of a history, if the data starts too recently for steps of a quarter of an
 * hour. The quarter before it gives a chart of the first minute more than one point.
 */
const recentStart = (history: OpsHistory | undefined): string | undefined => {
  const at = history?.points.find((point) => !isEmpty(point))?.at
  if (at === undefined) return undefined
  const start = new Date(at).getTime() - quarter
  return Date.now() - start < byMinuteMs ? new Date(start).toISOString() : undefined
}

type Reading = Chosen & { since?: string | undefined; enabled?: boolean }
const useHistorySince = ({ range, tenant, policy, since, enabled = true }: Reading) => {
  const { client } = useSession()
  return useQuery({
    queryKey: ['ops', 'history', since ?? range.id, tenant, policy],
    queryFn: ({ signal }) =>
      client.history({
        // The gateway takes longer steps beyond a day or a week, so start a minute later.
        from: since ?? new Date(Date.now() - range.ms + minute).toISOString(),
        ...(tenant !== undefined && { tenant }),
        ...(policy !== undefined && { policy }),
        signal,
      }),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** Reads the history of the chosen range. On a new system, the automatic range has steps of a minute. */
export const useHistory = (chosen: Chosen) => {
  const whole = useHistorySince(chosen)
  const since = chosen.range.id === 'auto' ? recentStart(whole.data) : undefined
  const recent = useHistorySince({ ...chosen, since, enabled: since !== undefined })
  return since === undefined ? whole : recent
}
