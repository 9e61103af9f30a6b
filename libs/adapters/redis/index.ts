export { connectFailFast, connectWaiting, parseRedisUrl, whenReady } from './clients'
export { openRedisRunStore, type RedisRunStore } from './redis-run-store'
export { storeError, storing } from './redis-errors'
export type { RedisClient } from './scripts'
