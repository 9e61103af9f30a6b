export * from './child'
