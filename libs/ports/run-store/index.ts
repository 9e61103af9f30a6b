export * from './run-store'
