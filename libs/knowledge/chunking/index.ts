export { fencedTo, markdownBlocks, startsTable } from './blocks'
export * from './chunk'
export * from './content-id'
export * from './headed'
