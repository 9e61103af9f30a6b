import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import type { OpsHistory } from '@plumbline/contracts'
import { useSession } from '../session'
import { sum } from './figures'

const [minute, quarter, hour] = [60_000, 900_000, 3_600_000]
/** The time ranges of the charts. The default is the first one: the last 24 hours, or since the oldest data. */
export const ranges = [
  { name: 'automatic', id: 'auto', ms: 24 * hour },
  { name: 'last 24 h', id: '24h', ms: 24 * hour },
  { name: 'last hour', id: '1h', ms: hour },
  { name: 'last 7 days', id: '7d', ms: 7 * 24 * hour },
  { name: 'last 30 days', id: '30d', ms: 30 * 24 * hour },
] as const

export type HistoryFilter = { range: (typeof ranges)[number]; tenant?: string; policy?: string }

export const useHistoryFilter = (): [HistoryFilter, (name: 'range' | 'tenant' | 'policy', value: string) => void] => {
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

/** A chart keeps at least this many points, so that a new system does not show only a single point. */
const fewestPoints = 6

/** Removes the points before the first data. Otherwise, the chart of a new system would be mostly empty. */
export const withoutEmptyStart = (history: OpsHistory): OpsHistory => {
  const first = history.points.findIndex((point) => !isEmpty(point))
  const skipped = Math.max(0, Math.min(first, history.points.length - fewestPoints))
  const points = history.points.slice(skipped)
  return { ...history, points, from: points[0]?.at ?? history.from }
}

/** For a range up to this length, the gateway returns one point per minute. */
const byMinuteMs = 3 * hour

/** Returns the start of a range with one point per minute that contains all data. Undefined if the data is too old. */
const recentStart = (history: OpsHistory | undefined): string | undefined => {
  const at = history?.points.find((point) => !isEmpty(point))?.at
  if (at === undefined) return undefined
  const start = new Date(at).getTime() - quarter
  return Date.now() - start < byMinuteMs ? new Date(start).toISOString() : undefined
}

type HistoryQuery = HistoryFilter & { since?: string | undefined; enabled?: boolean }
const useHistorySince = ({ range, tenant, policy, since, enabled = true }: HistoryQuery) => {
  const { client } = useSession()
  return useQuery({
    queryKey: ['ops', 'history', since ?? range.id, tenant, policy],
    queryFn: ({ signal }) =>
      client.history({
        // One minute less than the range, because the gateway uses longer steps above a day, and again above a week.
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

export const useHistory = (chosen: HistoryFilter) => {
  const whole = useHistorySince(chosen)
  const since = chosen.range.id === 'auto' ? recentStart(whole.data) : undefined
  const recent = useHistorySince({ ...chosen, since, enabled: since !== undefined })
  return since === undefined ? whole : recent
}
