export * from './document-files'
export * from './intake'
export type { Received } from './receive'
