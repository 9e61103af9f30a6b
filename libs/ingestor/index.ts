export { ingestDocument } from './ingest-document'
export { ingestor } from './ingestor.module'
