export * from './document-files'
export * from './intake'
export type { Original } from './original'
export type { Received } from './receive'
