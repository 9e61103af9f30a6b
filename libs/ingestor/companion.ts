import type { IngestQueue } from '@plumbline/adapters/bullmq/ingest-queue'
import type { DocumentFiles } from '@plumbline/adapters/files/document-files'
import type { Shared } from '@plumbline/hosting/define-stage'
import type { PassageIndex } from '@plumbline/ports/passage-index/passage-index'

export type CompanionContext = Pick<Shared, 'redis' | 'log' | 'registry'> & {
  files: DocumentFiles
  queue: IngestQueue
  index: PassageIndex
}

/** A part of a feature that runs in the ingestor and uses its stores. The ingestor never imports a feature. */
export type Companion = {
  name: string
  open(context: CompanionContext): { stop(): Promise<void> }
}
