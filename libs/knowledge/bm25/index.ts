export * from './bm25'
export * from './query-terms'
