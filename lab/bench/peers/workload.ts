import { setTimeout as wait } from 'node:timers/promises'

/** Every compared program does this work per run: route, plan, 3 parallel steps, generate, check. */
export const steps = 3
export const jobsPerRun = 4 + 2 * steps

const lorem =
  'A meter at the main switch board reads the energy that enters the building and a second one reads what the racks draw. '
const passageText = lorem.repeat(8).slice(0, 800)

export const queries = (step: number): string[] => [
  `question of step ${step}`,
  `step ${step} in other words`,
  `step ${step} keywords`,
]

export const passages = (step: number) =>
  Array.from({ length: 4 }, (_, i) => ({
    id: `p${step}-${i}`,
    documentId: `d${step}`,
    collection: 'bench',
    title: `Document ${step}`,
    text: passageText,
    headingPath: ['Chapter', `Section ${i}`],
    position: i,
    scores: { similarity: 0.71, bm25: 8.2, fused: 0.031, rerank: 0.66 },
  }))

export const grades = (passageIds: string[]) =>
  passageIds.map((passageId) => ({
    passageId,
    relevant: true,
    level: 'high' as const,
    confidence: 0.9,
    reason: 'names what the step asks for',
  }))

export const draft = () => ({
  text: Array.from(
    { length: steps },
    (_, i) => `The energy that enters the building is read at the main switch board in case ${i + 1} [${i + 1}].`,
  ).join(' '),
  citations: Array.from({ length: steps }, (_, i) => ({ n: i + 1, passageId: `p${i + 1}-0` })),
})

export const grading = () => ({
  claims: draft().citations.map(({ passageId }, i) => ({
    text: `The energy that enters the building is read at the main switch board in case ${i + 1}`,
    kind: 'fact' as const,
    verdict: 'supported' as const,
    reason: 'stands in the cited passage',
    passageId,
  })),
  parts: Array.from({ length: steps }, (_, i) => ({ what: `case ${i + 1}`, outcome: 'answered' as const })),
  support: 'full' as const,
  usefulness: 5,
  confidence: 0.95,
  tooBroad: false,
})

/** `zero` measures throughput. `realistic` draws a latency per run and task, the same for every program. */
export type Mode = 'zero' | 'realistic'
type Kind = 'route' | 'plan' | 'research' | 'grade-evidence' | 'generate' | 'grade-answer'
const typical: Record<Kind, number> = {
  route: 350,
  plan: 900,
  research: 600,
  'grade-evidence': 450,
  generate: 2_200,
  'grade-answer': 900,
}

const drawn = (key: string): number => {
  let hash = 2_166_136_261
  for (const char of key) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619)
  return ((hash >>> 0) % 1_000) / 1_000
}
const latency = (mode: Mode, run: number, kind: Kind, step = 0): number =>
  mode === 'zero' || run < 0 ? 0 : Math.round(typical[kind] * (0.7 + 0.6 * drawn(`${run}/${kind}/${step}`)))

const criticalPath = (mode: Mode, run: number): number => {
  const of = (kind: Kind, step?: number): number => latency(mode, run, kind, step)
  const branches = Array.from({ length: steps }, (_, i) => of('research', i + 1) + of('grade-evidence', i + 1))
  return of('route') + of('plan') + Math.max(...branches) + of('generate') + of('grade-answer')
}

export const modelCall = async (mode: Mode, run: number, kind: Kind, step?: number): Promise<void> => {
  const ms = latency(mode, run, kind, step)
  if (ms > 0) await wait(ms)
}

export type Load = { count: number; atOnce: number; mode: Mode; runOne: (run: number) => Promise<void> }
export type Measured = {
  runs: number
  seconds: number
  runsPerSecond: number
  p50: number
  p99: number
  cpuMsPerRun: number
}
export const measure = async ({ count, atOnce, mode, runOne }: Load): Promise<Measured> => {
  const over: { ms: number; critical: number }[] = []
  let next = 0
  const cpu = process.cpuUsage()
  const started = performance.now()
  const lane = async (): Promise<void> => {
    while (next < count) {
      const run = next++
      const from = performance.now()
      await runOne(run)
      over.push({ ms: performance.now() - from, critical: criticalPath(mode, run) })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  const seconds = (performance.now() - started) / 1_000
  const used = process.cpuUsage(cpu)
  const ratios = over.map(({ ms, critical }) => (critical ? ms / critical : ms)).sort((a, b) => a - b)
  const at = (q: number): number => ratios[Math.min(ratios.length - 1, Math.floor(q * ratios.length))] ?? Number.NaN
  return {
    runs: count,
    seconds,
    runsPerSecond: count / seconds,
    p50: at(0.5),
    p99: at(0.99),
    cpuMsPerRun: (used.user + used.system) / 1_000 / count,
  }
}

/** Processes 300 runs before the measurement, so that one-time costs are not measured. */
export const warmUp = (runOne: Load['runOne']): Promise<Measured> =>
  measure({ count: 300, atOnce: 100, mode: 'zero', runOne: (run) => runOne(-1 - run) })
