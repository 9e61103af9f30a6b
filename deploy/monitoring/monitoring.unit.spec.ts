import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { dashboards } from './dashboards'
import { drawn } from './draw-dashboards'
import { type KnownMetrics, unknownIn } from './expressions'

const root = join(import.meta.dirname, '..', '..')
const shipped = join(root, 'deploy', 'kubernetes', 'chart', 'monitoring')
const alertsFile = join(shipped, 'alerts.yaml')
const testFiles = ['alerts.test.yaml', 'alerts-of-hours.test.yaml'].map((file) => join(import.meta.dirname, file))

type Rule = {
  alert?: string
  record?: string
  expr: string
  labels?: { severity?: string }
  annotations?: { summary?: string; runbook_url?: string }
}
const rules = (parse(readFileSync(alertsFile, 'utf8')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (group) => group.rules,
)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const recorded = new Set(rules.flatMap(({ record }) => record ?? []))
const expressions = dashboards.flatMap(({ panels }) => panels.flatMap(({ series }) => Object.values(series)))

/** The default metrics of every process. The page lists all others, and another spec compares it with the processes. */
const registry = new Registry()
collectDefaultMetrics({ register: registry })
const defaults = (await registry.getMetricsAsJSON()).map(
  ({ name, type }): [string, { type: string; labels: string[] }] => [
    name,
    {
      type: String(type),
      labels: (registry.getSingleMetric(name) as Metric & { labelNames?: string[] }).labelNames ?? [],
    },
  ],
)
const page = readFileSync(join(root, 'docs', 'reference', 'metrics.md'), 'utf8')
const known: KnownMetrics = new Map([
  ...defaults,
  ...[...page.matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*) \|/gm)].map(
    ([, name = '', type = '', labels = '']): [string, { type: string; labels: string[] }] => [
      name,
      { type, labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label) },
    ],
  ),
])
const unknown = (expression: string): string[] => unknownIn(expression, known, recorded)

const promtool = (...args: string[]): string => {
  const { error, status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' })
  if (error)
    throw new Error('promtool cannot be started: install the package prometheus, which brings it', { cause: error })
  return status === 0 ? '' : `${stdout}${stderr}`
}

describe('every dashboard', () => {
  it.each([...drawn()])('is %s, as it is drawn', async (file, text) => {
    await expect(text).toMatchFileSnapshot(join(shipped, file))
  })

  it('asks only for what the processes tell', () => {
    expect(expressions.length).toBeGreaterThan(40)
    expect(expressions.flatMap(unknown)).toEqual([])
  })

  it('has expressions that Prometheus can read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-promql-'))
    try {
      const file = join(folder, 'expressions.yaml')
      const asRules = expressions.map((expr, n) => ({
        record: `panel:${n}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      }))
      writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: asRules }] }))
      expect(promtool('check', 'rules', file)).toBe('')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('an expression', () => {
  it.each([
    ['sum(rate(plumbline_asks[5m]))', ['plumbline_asks']],
    ['sum by (tenant) (rate(plumbline_asks_total[5m]))', ['plumbline_asks_total{tenant}']],
    ['plumbline_scaler_jobs{stage="grader"} > 0', ['plumbline_scaler_jobs{stage}']],
    ['rate(plumbline_asks_total_bucket[5m])', ['plumbline_asks_total_bucket']],
    ['histogram_quantile(0.95, sum by (le) (rate(plumbline_http_seconds_bucket[5m])))', []],
    ['max(plumbline_scaler_jobs{queue!~"a|b{x}"}) > 0 unless on() plumbline_streams', []],
    ['plumbline:runs_failing:ratio_7m', ['plumbline:runs_failing:ratio_7m']],
  ])('is looked through for what there is not: %s', (expression, faults) => {
    expect(unknown(expression)).toEqual(faults)
  })
})

describe('every alert', () => {
  it('asks only for what the processes tell', () => {
    expect(rules.flatMap(({ expr }) => unknown(expr))).toEqual([])
  })

  it('states its severity, the problem, and the page with instructions', () => {
    const told = readFileSync(join(root, 'docs', 'run', 'troubleshooting.md'), 'utf8')
    const anchors = new Set(
      [...told.matchAll(/^#+ (.+)$/gm)].map(
        ([, title = '']) =>
          `docs/run/troubleshooting.md#${title
            .toLowerCase()
            .replaceAll(/[^\w -]/g, '')
            .replaceAll(' ', '-')}`,
      ),
    )
    for (const { alert, labels, annotations } of alerts) {
      expect([alert, labels?.severity]).toEqual([alert, expect.stringMatching(/^(?:critical|warning)$/)])
      expect([alert, annotations?.summary?.length ?? 0]).toEqual([alert, expect.toSatisfy((n: number) => n > 20)])
      expect([alert, anchors.has(annotations?.runbook_url ?? '')]).toEqual([alert, true])
    }
  })

  it('is seen to fire and to be quiet', { timeout: 120_000 }, () => {
    expect(promtool('check', 'rules', alertsFile)).toBe('')
    expect(promtool('test', 'rules', ...testFiles)).toBe('')
    type Test = { alert_rule_test: { alertname: string; exp_alerts: unknown[] }[] }
    const tested = testFiles.flatMap((file) =>
      (parse(readFileSync(file, 'utf8')) as { tests: Test[] }).tests.flatMap((test) => test.alert_rule_test),
    )
    const seen = (fires: boolean) =>
      new Set(tested.filter((one) => one.exp_alerts.length > 0 === fires).map(({ alertname }) => alertname))
    expect(seen(true)).toEqual(new Set(alerts.map(({ alert }) => alert)))
    expect(seen(false)).toEqual(seen(true))
  })
})
