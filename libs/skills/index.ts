export type * from './skill'
