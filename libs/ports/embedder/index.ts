export * from './embedder'
