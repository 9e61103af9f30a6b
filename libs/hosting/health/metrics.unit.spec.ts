import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import type { LedgerEvent } from '@plumbline/contracts'
import { policies, start } from '@plumbline/flow'
import { createRunMetrics } from './metrics'

it('counts what models did and cost, and who stood in', async () => {
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
