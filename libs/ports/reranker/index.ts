export * from './reranker'
