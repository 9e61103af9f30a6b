export * from './memory-passage-index'
export * from './one-way'
export * from './passage-index'
