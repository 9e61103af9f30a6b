export * from './limits'
