import { Counter, Histogram, type Registry } from 'prom-client'
import type { SourceCounts } from '@plumbline/contracts'

export type MeasureSources = (outcome: 'done' | 'broken', ms: number, counts: SourceCounts) => void

export const measureSources = (registry: Registry): MeasureSources => {
  const registers = [registry]
  const time = new Histogram({
    name: 'plumbline_source_run_seconds',
    help: 'Duration of a source run, by outcome. An interrupted run continues later.',
    labelNames: ['outcome'],
    buckets: [0.1, 1, 10, 60, 300, 1_800, 7_200],
    registers,
  })
  for (const outcome of ['done', 'broken']) time.zero({ outcome })
  const files = new Counter({
    name: 'plumbline_source_files_total',
    help: 'Files that sources provided, by the outcome of the sync.',
    labelNames: ['became'],
    registers,
  })
  return (outcome, ms, counts) => {
    time.observe({ outcome }, ms / 1_000)
    for (const [became, count] of Object.entries(counts)) files.inc({ became }, count)
  }
}
