import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import type { LedgerEvent } from '@plumbline/contracts'
import { policies, start } from '@plumbline/flow'
import { createMetrics, createRunMetrics } from './metrics'

const ended = (tenant: string) => {
  const { run } = start(
    { id: 'r1', tenant, lane: 'main', question: 'How?', collections: [], webOn: false, at: 1 },
    policies.standard!,
  )
  const events: LedgerEvent[] = [
    { type: 'ended', audience: 'asker', at: 2, status: 'failed', reason: 'failed.not-written' },
  ]
  return { run, events }
}

it('names a bounded number of tenants, and counts the others together', async () => {
  const registry = new Registry()
  const count = createRunMetrics(registry)
  for (let n = 0; n < 300; n += 1) count(ended(`t${n}`))
  count(ended('t7'))
  const series = [
    ...(await registry.metrics()).matchAll(/^plumbline_tenant_runs_ended_total\{tenant="([^"]+)".* (\d+)$/gm),
  ]
  expect(series).toHaveLength(201)
  expect(Object.fromEntries(series.map(([, tenant, sum]) => [tenant, Number(sum)]))).toMatchObject({ t7: 2, '*': 100 })
})

it('begins every count that alerts watch at zero, as Prometheus sees no increase in a first value', async () => {
  const run = new Registry()
  createRunMetrics(run)
  const text = (await run.metrics()) + (await createMetrics().registry.metrics())
  for (const line of [
    'plumbline_runs_ended_total{status="failed",reason="failed.not-written"} 0',
    'plumbline_runs_ended_total{status="expired",reason="expired.review-overdue"} 0',
    'plumbline_abandoned_total{stage="grader",task="grade-answer"} 0',
  ])
    expect(text).toContain(line)
  expect(text).not.toContain('reason="parked.')
})

it('counts usage and cost of models, and their fallbacks', async () => {
  const registry = new Registry()
  const usage = { calls: 3, tokensIn: 90, tokensOut: 12, cents: 0.25 }
  const { run } = start(
    { id: 'r1', tenant: 't1', lane: 'main', question: 'How?', collections: [], webOn: false, at: 1 },
    policies.standard!,
  )
  const events: LedgerEvent[] = [
    {
      type: 'called',
      audience: 'desk',
      at: 1,
      calls: [
        { skill: 'gradeEvidence', model: 'small-one', usage },
        {
          skill: 'checkClaims',
          model: 'offline',
          usage: { calls: 0, tokensIn: 0, tokensOut: 0, cents: 0 },
          insteadBy: 'offline',
        },
      ],
    },
  ]
  createRunMetrics(registry)({ run, events })
  const text = await registry.metrics()
  for (const line of [
    'plumbline_model_calls_total{skill="gradeEvidence",model="small-one",instead=""} 3',
    'plumbline_model_calls_total{skill="checkClaims",model="offline",instead="offline"} 1',
    'plumbline_model_tokens_total{model="small-one",direction="in"} 90',
    'plumbline_model_tokens_total{model="small-one",direction="out"} 12',
    'plumbline_model_cents_total{model="small-one"} 0.25',
    'plumbline_tenant_cents_total{tenant="t1",policy="standard"} 0.25',
  ])
    expect(text).toContain(line)
})
