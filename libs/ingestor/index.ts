export * from './ingest-document'
