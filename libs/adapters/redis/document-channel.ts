import { documentsChannel } from './keys'
import { runChannel } from './run-channel'
import type { RedisClient } from './scripts'

/** Tells the id of every document of the catalog that came further, in any process. */
export const openDocumentChannel = (redis: RedisClient) => runChannel(redis, documentsChannel)
