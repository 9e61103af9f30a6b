export * from './ensemble'
export * from './fuse'
