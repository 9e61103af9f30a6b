import { Counter, Histogram, type Registry } from 'prom-client'
import type { Format, SourceCounts } from '@plumbline/contracts'
import type { Shared } from '@plumbline/hosting/define-stage'

export type MeasureDocuments = {
  /** What became of one delivery of a document. */
  ended(outcome: string, ms: number): void
  read(what: { format: Format | undefined; bytes: number; pages: number }): void
}
export type MeasureSources = (outcome: 'done' | 'broken', ms: number, counts: SourceCounts) => void

const buckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

export const measureDocuments = (registry: Registry, done: Shared['done']): MeasureDocuments => {
  const registers = [registry]
  const time = new Histogram({
    name: 'plumbline_document_seconds',
    help: 'How long a delivery of a document took, by what became of it; `later` and `handed-back` come again.',
    labelNames: ['outcome'],
    buckets,
    registers,
  })
  for (const outcome of ['indexed', 'failed']) time.zero({ outcome })
  const labelNames = ['format'] as const
  const read = new Counter({ name: 'plumbline_documents_read_total', help: 'Documents read.', labelNames, registers })
  const pages = new Counter({
    name: 'plumbline_document_pages_total',
    help: 'Pages of documents read, where a format has pages.',
    labelNames,
    registers,
  })
  const bytes = new Counter({
    name: 'plumbline_document_bytes_total',
    help: 'Bytes of documents read.',
    labelNames,
    registers,
  })
  return {
    ended: (outcome, ms) => {
      time.observe({ outcome }, ms / 1_000)
      done({ stage: 'ingest', outcome, ms })
    },
    read: ({ format = 'other', ...what }) => {
      read.inc({ format })
      pages.inc({ format }, what.pages)
      bytes.inc({ format }, what.bytes)
    },
  }
}

export const measureSources = (registry: Registry): MeasureSources => {
  const registers = [registry]
  const time = new Histogram({
    name: 'plumbline_source_run_seconds',
    help: 'How long a run of a source took, by outcome; a broken one is gone on with later.',
    labelNames: ['outcome'],
    buckets,
    registers,
  })
  for (const outcome of ['done', 'broken']) time.zero({ outcome })
  const files = new Counter({
    name: 'plumbline_source_files_total',
    help: 'Files of sources, by what became of them in a run.',
    labelNames: ['became'],
    registers,
  })
  return (outcome, ms, counts) => {
    time.observe({ outcome }, ms / 1_000)
    for (const [became, count] of Object.entries(counts)) files.inc({ became }, count)
  }
}
