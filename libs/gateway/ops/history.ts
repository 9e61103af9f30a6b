import type { Bucket, Counts } from '@plumbline/adapters/redis/ops/history'
import { OpsStage, type OpsHistory, type RunCounts, type StageCounts } from '@plumbline/contracts'
import { microcents } from '@plumbline/hosting/health/count-moves'
import { percentile } from '@plumbline/hosting/health/time-buckets'

export type Span = { from: number; to: number; stepMs: number; tenant?: string; policy?: string; withStages: boolean }
type Sums = { runs: Counts; stages: Map<string, Counts>; tenants: Map<string, Counts>; policies: Map<string, Counts> }

const noSums = (): Sums => ({ runs: {}, stages: new Map(), tenants: new Map(), policies: new Map() })

const addTo = (sums: Counts, counts: Counts): void => {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count
}
const addUnder = (groups: Map<string, Counts>, name: string, counts: Counts): void => {
  const sums = groups.get(name) ?? {}
  addTo(sums, counts)
  groups.set(name, sums)
}

const addBucket = (sums: Sums, { rows }: Bucket, { tenant, policy, withStages }: Span): void => {
  for (const [row, counts] of rows) {
    const [kind, first = '', second = ''] = JSON.parse(row) as [string, string?, string?]
    if (kind === 'stage' && withStages) addUnder(sums.stages, first, counts)
    if (kind !== 'runs' || (tenant ?? first) !== first || (policy ?? second) !== second) continue
    addTo(sums.runs, counts)
    addUnder(sums.tenants, first, counts)
    addUnder(sums.policies, second, counts)
  }
}

const countsUnder = (counts: Counts, prefix: string): Counts =>
  Object.fromEntries(
    Object.entries(counts).flatMap(([name, count]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), count]] : [],
    ),
  )

const runCounts = (counts: Counts): RunCounts => {
  const of = (name: string): number => counts[name] ?? 0
  return {
    asked: of('asked'),
    ended: countsUnder(counts, 'ended:'),
    reasons: countsUnder(counts, 'reason:'),
    parked: countsUnder(counts, 'parked:'),
    decided: countsUnder(counts, 'decided:'),
    withRewrite: of('withRewrite'),
    rewritesOfAnswered: of('rewritesOfAnswered'),
    heldFirst: of('heldFirst'),
    degraded: of('degraded'),
    escalated: of('escalated'),
    strategies: countsUnder(counts, 'strategy:'),
    groundingFailures: of('groundingFailures'),
    calls: of('calls'),
    tokensIn: of('tokensIn'),
    tokensOut: of('tokensOut'),
    cents: of('microcents') / microcents,
    p50Ms: percentile(counts, 0.5),
    p95Ms: percentile(counts, 0.95),
  }
}

export const doneCount = (counts: Counts): number =>
  Object.values(countsUnder(counts, 't')).reduce((sum, count) => sum + count, 0)

const stageCounts = (stage: OpsStage, counts: Counts = {}): StageCounts => ({
  stage,
  done: doneCount(counts),
  failed: counts['failed'] ?? 0,
  p50Ms: percentile(counts, 0.5),
  p95Ms: percentile(counts, 0.95),
})

const stagesOf = ({ stages }: Sums): StageCounts[] =>
  OpsStage.options.flatMap((stage) => (stages.has(stage) ? [stageCounts(stage, stages.get(stage))] : []))

const mostFirst = (groups: Map<string, Counts>): OpsHistory['tenants'] =>
  [...groups].map(([name, counts]) => ({ name, ...runCounts(counts) })).sort((a, b) => b.asked - a.asked)

const iso = (at: number): string => new Date(at).toISOString()

type Model = { name: string; calls: number; failed: number; p50Ms: number | null; p95Ms: number | null }

/** `failingSince`: the minute since which all calls have failed, or null. */
export const modelsOf = (buckets: Bucket[]): (Model & { failingSince: number | null })[] => {
  const models = new Map<string, Counts>()
  const failingSince = new Map<string, number | null>()
  for (const { at, rows } of buckets)
    for (const [row, counts] of rows) {
      const [kind, name = ''] = JSON.parse(row) as [string, string?]
      if (kind !== 'model') continue
      addUnder(models, name, counts)
      failingSince.set(name, doneCount(counts) > 0 ? null : (failingSince.get(name) ?? at))
    }
  return [...models].map(([name, counts]) => {
    const failed = counts['failed'] ?? 0
    const [p50Ms, p95Ms] = [percentile(counts, 0.5), percentile(counts, 0.95)]
    return {
      name,
      calls: doneCount(counts) + failed,
      failed,
      p50Ms,
      p95Ms,
      failingSince: failingSince.get(name) ?? null,
    }
  })
}

export const historyOf = (buckets: Bucket[], span: Span): OpsHistory => {
  const { from, to, stepMs } = span
  const all = noSums()
  const steps = new Map<number, Sums>()
  for (let at = from; at < to; at += stepMs) steps.set(at, noSums())
  for (const bucket of buckets) {
    addBucket(all, bucket, span)
    const step = steps.get(from + Math.floor((bucket.at - from) / stepMs) * stepMs)
    if (step) addBucket(step, bucket, span)
  }
  return {
    from: iso(from),
    to: iso(to),
    stepMs,
    points: [...steps].map(([at, sums]) => ({ at: iso(at), runs: runCounts(sums.runs), stages: stagesOf(sums) })),
    total: runCounts(all.runs),
    stages: stagesOf(all),
    tenants: mostFirst(all.tenants),
    policies: mostFirst(all.policies),
  }
}
