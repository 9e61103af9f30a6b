import type { Bucket, Counts } from '@plumbline/adapters/redis/ops/history'
import type { Diagnosis, Finding, FindingEvidence, FindingKind, Strategy } from '@plumbline/contracts'

/** A finding is reported only if it has at least this many events and they are at least this share of the runs. */
const leastEvents = 5
const leastShare = 0.05

type RewriteKind = Exclude<FindingKind, 'missing-documents'>
const rewritesAgainst: Record<RewriteKind, Strategy[]> = {
  'too-broad': ['narrow-focus', 'decompose'],
  'too-narrow': ['add-context'],
  'other-vocabulary': ['expand-terms', 'rephrase-intent'],
}
const kinds = Object.keys(rewritesAgainst) as RewriteKind[]

const words: Record<FindingKind, string> = {
  'too-broad': 'Queries are too broad: narrower queries, or parts of the question, found relevant passages.',
  'too-narrow': 'Queries are too narrow: queries with more context found relevant passages.',
  'other-vocabulary': 'Documents use other words than the questions: queries with other words found relevant passages.',
  'missing-documents': 'Documents are missing: questions, or parts of them, have no answer in the documents.',
}

const reader =
  (counts: Counts) =>
  (name: string): number =>
    counts[name] ?? 0

type Found = Finding & { weight: number }

export const findingsOf = (counts: Counts): Finding[] => {
  const of = reader(counts)
  const isEnough = (events: number): boolean => events >= leastEvents && events >= leastShare * of('runs')
  const empty = { what: 'empty-searches', count: of('empty'), of: of('empty') + of('found') } as const
  const rejected = { what: 'rejected-grades', count: of('rejected'), of: of('graded') } as const
  const evidence = (kind: RewriteKind): FindingEvidence[] => [
    ...rewritesAgainst[kind].flatMap((strategy) => {
      const count = of(`helped:${strategy}`)
      return count > 0 ? [{ what: 'helpful-rewrites' as const, strategy, count, of: of(`tried:${strategy}`) }] : []
    }),
    kind === 'too-broad' ? rejected : empty,
  ]
  const helped = (kind: RewriteKind): number =>
    rewritesAgainst[kind].reduce((sum, strategy) => sum + of(`helped:${strategy}`), 0)
  const missing: FindingEvidence[] = [
    { what: 'runs-without-documents', count: of('missing'), of: of('runs') },
    empty,
    rejected,
  ]
  const found: Found[] = [
    ...kinds.map((kind) => ({ kind, words: words[kind], evidence: evidence(kind), weight: helped(kind) })),
    {
      kind: 'missing-documents',
      words: words['missing-documents'],
      evidence: missing,
      weight: of('missing'),
    },
  ]
  return found
    .filter(({ weight }) => isEnough(weight))
    .sort((a, b) => b.weight - a.weight)
    .map(({ weight: _, ...finding }) => ({
      ...finding,
      evidence: finding.evidence.filter(({ count }) => count > 0),
    }))
}

type Span = { from: number; to: number; tenant?: string }

/** Skips the row `*`, which combines all collections that have no row of their own. */
export const diagnosisOf = (buckets: Bucket[], { from, to, tenant }: Span): Diagnosis => {
  const sums = new Map<string, Counts>()
  for (const { rows } of buckets)
    for (const [row, counts] of rows) {
      const [kind, of = ''] = JSON.parse(row) as [string, string?]
      if (kind !== 'collection' || of === '*' || (tenant ?? of) !== of) continue
      const sum = sums.get(row) ?? {}
      for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count
      sums.set(row, sum)
    }
  const collections = [...sums].map(([row, counts]) => {
    const [, of = '', collection = ''] = JSON.parse(row) as [string, string?, string?]
    return { tenant: of, collection, runs: reader(counts)('runs'), findings: findingsOf(counts) }
  })
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    collections: collections.sort(
      (a, b) => b.findings.length - a.findings.length || b.runs - a.runs || (a.collection < b.collection ? -1 : 1),
    ),
  }
}
