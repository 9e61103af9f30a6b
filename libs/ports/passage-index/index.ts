export * from './passage-index'
