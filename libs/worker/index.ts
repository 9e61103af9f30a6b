export * from './handler'
