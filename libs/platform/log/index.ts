export * from './log'
