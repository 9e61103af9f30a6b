import { Counter, Histogram, type Registry } from 'prom-client'
import type { Format } from '@plumbline/contracts'
import type { Shared } from '@plumbline/hosting/define-stage'

export type MeasureDocuments = {
  ended(outcome: string, ms: number): void
  read(what: { format: Format | undefined; bytes: number; pages: number }): void
}

const buckets = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

export const measureDocuments = (registry: Registry, done: Shared['done']): MeasureDocuments => {
  const registers = [registry]
  const time = new Histogram({
    name: 'plumbline_document_seconds',
    help: 'Duration of one try to process a document, by outcome. Documents with the outcome `later` or `handed-back` are tried again.',
    labelNames: ['outcome'],
    buckets,
    registers,
  })
  for (const outcome of ['indexed', 'failed']) time.zero({ outcome })
  const labelNames = ['format'] as const
  const read = new Counter({ name: 'plumbline_documents_read_total', help: 'Parsed documents.', labelNames, registers })
  const pages = new Counter({
    name: 'plumbline_document_pages_total',
    help: 'Pages of parsed documents, for formats that have pages.',
    labelNames,
    registers,
  })
  const bytes = new Counter({
    name: 'plumbline_document_bytes_total',
    help: 'Bytes of parsed documents.',
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
