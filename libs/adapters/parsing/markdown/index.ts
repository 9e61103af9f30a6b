export * from './read-markdown'
