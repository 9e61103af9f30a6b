export * from './read-code'
