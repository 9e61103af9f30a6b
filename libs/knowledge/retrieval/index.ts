export { amendedBy, amendmentsFirst, isOutdated } from './amendments'
export * from './duplicates'
