export * from './chunk'
export * from './content-id'
