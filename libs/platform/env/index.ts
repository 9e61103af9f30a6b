export * from './env'
