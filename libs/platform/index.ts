export * from './errors/app-error'
export * from './private-redis/private-redis'
