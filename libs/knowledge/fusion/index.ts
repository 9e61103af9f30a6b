export * from './fuse'
