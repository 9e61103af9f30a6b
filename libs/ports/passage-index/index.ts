export * from './memory-passage-index'
export * from './passage-index'
