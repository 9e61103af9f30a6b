import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createRunMetrics } from './run-metrics'

it('counts what models did and cost, and who stood in', async () => {
  const registry = new Registry()
  const usage = { calls: 3, tokensIn: 90, tokensOut: 12, cents: 0.25 }
  createRunMetrics(registry)([
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
  ])
  const text = await registry.metrics()
  for (const line of [
    'plumbline_model_calls_total{skill="gradeEvidence",model="small-one",instead=""} 3',
    'plumbline_model_calls_total{skill="checkClaims",model="offline",instead="offline"} 1',
    'plumbline_model_tokens_total{model="small-one",direction="in"} 90',
    'plumbline_model_tokens_total{model="small-one",direction="out"} 12',
    'plumbline_model_cents_total{model="small-one"} 0.25',
  ])
    expect(text).toContain(line)
})
