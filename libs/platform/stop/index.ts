export * from './stop'
