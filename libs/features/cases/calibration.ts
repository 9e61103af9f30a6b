import type { PolicyCalibration, ScoreBucket, ShareInterval, StrategyCount } from '@plumbline/contracts'
import type { CaseRow } from './store/cases'

export const leastCases = 40
/** The confidence interval of a share is shown only from this number of cases on. With fewer cases, it is too wide. */
export const leastShown = 10
/** A score threshold is proposed only if reviewers approved at least this share of the drafts at or above it. */
const wantedShare = 0.95
const leastTries = 10

const edges = [0, 0.2, 0.4, 0.6, 0.8, 1] as const

const isApproved = ({ action }: CaseRow): boolean => action === 'approve'
/** The factor for a 95 % confidence interval of the normal distribution. */
const z = 1.96

const intervalOf = (approved: number, cases: number): ShareInterval => {
  const share = approved / cases
  const center = share + z ** 2 / (2 * cases)
  const spread = z * Math.sqrt((share * (1 - share)) / cases + z ** 2 / (4 * cases ** 2))
  const scale = 1 + z ** 2 / cases
  const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
  return { low: Math.max(0, rounded((center - spread) / scale)), high: rounded((center + spread) / scale) }
}

const count = (rows: CaseRow[]) => {
  const [cases, approved] = [rows.length, rows.filter(isApproved).length]
  return { cases, approved, ...(cases >= leastShown && { interval: intervalOf(approved, cases) }) }
}

type Scored = CaseRow & { score: number }
const isScored = (row: CaseRow): row is Scored => row.score !== null && row.decider === 'reviewer'

const bucketsOf = (rows: Scored[]): ScoreBucket[] =>
  edges.map((from, at) => {
    const to = edges[at + 1] ?? 1
    return { from, to, ...count(rows.filter(({ score }) => score >= from && (score < to || from === 1))) }
  })

const lowestScore = (rows: Scored[], least: number) => {
  const scores = [...new Set(rows.map(({ score }) => score))].sort((a, b) => a - b)
  for (const parkBelow of scores) {
    const above = count(rows.filter(({ score }) => score >= parkBelow))
    if (above.cases < least) return undefined
    if (above.approved >= wantedShare * above.cases) return { parkBelow, ...above }
  }
  return undefined
}

/**
 * Proposes a new score threshold for a policy. Considers only drafts that were held because of their score, because the
 * threshold affects no other drafts.
 */
const proposalOf = (rows: Scored[]): PolicyCalibration['proposal'] => {
  const byScore = rows.filter((row) => row.byScore)
  const cases = byScore.length
  if (cases < leastShown) return { kind: 'too-few', cases, needed: leastCases }
  if (cases < leastCases) {
    const preliminary = lowestScore(byScore, leastShown) ?? count(byScore)
    return { kind: 'too-few', cases, needed: leastCases, preliminary }
  }
  const lowest = lowestScore(byScore, leastCases)
  return lowest ? { kind: 'threshold', ...lowest } : { kind: 'none', ...count(byScore) }
}

const ofPolicy = (policy: string, rows: Scored[], threshold: number | undefined): PolicyCalibration => {
  const counted = count(rows)
  const { cases, approved } = counted
  return {
    policy,
    ...counted,
    buckets: bucketsOf(rows),
    precision: cases === 0 ? null : (cases - approved) / cases,
    falseHolds: approved,
    ...(threshold !== undefined && { threshold }),
    proposal: proposalOf(rows),
  }
}

export const calibrationOf = (
  rows: CaseRow[],
  thresholdOf: (policy: string) => number | undefined,
): PolicyCalibration[] =>
  [...Map.groupBy(rows.filter(isScored), ({ policy }) => policy)]
    .map(([policy, its]) => ofPolicy(policy, its, thresholdOf(policy)))
    .sort((a, b) => b.cases - a.cases || (a.policy < b.policy ? -1 : 1))

const share = ({ tries, succeeded }: StrategyCount): number => (tries === 0 ? 0 : succeeded / tries)

const adviceOf = (counts: StrategyCount[]): string => {
  const told = counts.filter(({ tries }) => tries >= leastTries)
  const [best] = told
  const worst = told.at(-1)
  if (!best || !worst)
    return `Too few tries to tell which strategy succeeds: at least ${leastTries} tries of one strategy are needed.`
  const said = (one: StrategyCount): string => `${one.strategy} succeeded in ${one.succeeded} of ${one.tries} tries`
  return best === worst
    ? `${said(best)}; no other strategy has ${leastTries} tries yet.`
    : `${said(best)}, ${said(worst)}.`
}

const countsOf = (rows: CaseRow[]): StrategyCount[] => {
  const tries = rows.flatMap((row) => row.tries)
  const byStrategy = Map.groupBy(tries, ({ strategy }) => strategy)
  return [...byStrategy]
    .flatMap(([strategy, its]): StrategyCount[] => {
      const graded = its.filter(({ relevant, found }) => relevant !== undefined || found === 0)
      if (strategy === undefined || graded.length === 0) return []
      return [{ strategy, tries: graded.length, succeeded: graded.filter(({ relevant = 0 }) => relevant > 0).length }]
    })
    .sort((a, b) => share(b) - share(a) || b.tries - a.tries)
}

/** Keeps only the latest case of each run. A case contains all tries of its run, so each try is counted once. */
const oncePerRun = (rows: CaseRow[]): CaseRow[] => {
  const latest = new Map<string, CaseRow>()
  for (const row of rows) {
    const known = latest.get(row.runId)
    if (!known || known.decidedAt < row.decidedAt) latest.set(row.runId, row)
  }
  return [...latest.values()]
}

export const strategiesOf = (rows: CaseRow[]) => {
  const single = oncePerRun(rows)
  const names = [...new Set(single.flatMap(({ collections }) => collections))].sort()
  return names.flatMap((collection) => {
    const counts = countsOf(single.filter(({ collections }) => collections.includes(collection)))
    return counts.length > 0 ? [{ collection, counts, advice: adviceOf(counts) }] : []
  })
}
