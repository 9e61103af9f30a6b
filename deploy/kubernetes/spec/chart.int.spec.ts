import { describe, expect, it } from 'vitest'
import { ScaledQueue } from '@plumbline/contracts'
import { stages } from '@plumbline/flow'
import { webhooksAtOnce } from '@plumbline/features/webhooks/worker'
import { limitsOf } from '@plumbline/worker'
import { join } from 'node:path'
import { kubernetes, ofSet, sets } from './manifests'
import { defaults, lint, renderChart } from './render-chart'
import { faultsOf } from './rules'

describe('the chart', () => {
  it('passes helm lint', () => {
    expect(lint()).toContain('0 chart(s) failed')
  })

  it.each(sets)('makes manifests of %s that Kubernetes takes and that keep every rule', async (file) => {
    expect(lint(join(kubernetes, 'sets', file))).toContain('0 chart(s) failed')
    const manifests = ofSet(file)
    expect(await faultsOf(manifests)).toEqual([])
    expect(manifests.filter(({ kind }) => kind === 'Deployment').length).toBe(stages.length + 2)
  })

  it('gives each worker the time and the tasks that its stage has, and the end of a pod half a minute more', () => {
    const { workers } = defaults() as { workers: Record<string, { concurrency: number; timeoutSeconds: number }> }
    for (const stage of stages)
      expect([stage, workers[stage]]).toMatchObject([
        stage,
        { concurrency: limitsOf(stage).concurrency, timeoutSeconds: limitsOf(stage).timeoutMs / 1_000 },
      ])
  })

  it.each(['metrics-api', 'prometheus'])(
    'scales every queue that the scaler tells of by %s, each pod by what it does at once',
    (by) => {
      const { workers } = defaults() as { workers: Record<string, { concurrency: number }> }
      const scaled = renderChart({ autoscaling: { enabled: true, by, prometheusUrl: 'http://prometheus:9090' } })
      type Trigger = { useCachedMetrics: boolean; metadata: Record<string, string> }
      const targets = scaled
        .flatMap(({ kind, spec }) => (kind === 'ScaledObject' ? (spec as { triggers: Trigger[] }).triggers : []))
        .map(({ metadata: { url, valueLocation, targetValue, query, ignoreNullValues, threshold } }) =>
          by === 'prometheus'
            ? [/^max\(plumbline_scaler_jobs\{queue="(\w+)"\}\)$/.exec(query ?? '')?.[1], threshold, ignoreNullValues]
            : [/:3000\/v1\/scaler\/(\w+)$/.exec(url ?? '')?.[1], targetValue, valueLocation],
        )
      const sure = by === 'prometheus' ? 'false' : 'jobs'
      const atOnce = (queue: string): number | undefined =>
        queue === 'webhook' ? webhooksAtOnce : workers[queue === 'ingest' ? 'ingestor' : queue]?.concurrency
      expect(new Set(targets)).toEqual(new Set(ScaledQueue.options.map((queue) => [queue, `${atOnce(queue)}`, sure])))
    },
  )

  it('lets KEDA reach a gateway that not everybody may reach', () => {
    const gateway = ofSet('autoscaled.yaml').find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith('-gateway'),
    )
    expect(JSON.stringify(gateway)).toContain('{"kubernetes.io/metadata.name":"keda"}')
  })
})
