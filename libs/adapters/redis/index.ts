export { connectFailFast, connectWaiting, whenReady } from './clients'
export { RedisCatalog } from './redis-catalog'
export { openRedisRunStore, type RedisRunStore } from './redis-run-store'
export type { RedisClient } from './scripts'
