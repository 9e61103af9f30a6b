export * from './memory-run-store'
export * from './run-store'
