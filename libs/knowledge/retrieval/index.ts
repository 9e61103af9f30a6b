export * from './amendments'
export * from './duplicates'
