export * from './mmr'
