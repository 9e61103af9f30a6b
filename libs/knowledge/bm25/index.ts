export * from './bm25'
export * from './search-words'
