export * from './amendments'
export * from './duplicates'
export * from './second-hop'
