import { createHash } from 'node:crypto'
import { openQueue } from '@plumbline/adapters/bullmq'
import { connectFailFast, RedisCatalog, whenReady } from '@plumbline/adapters/redis'
import type { SampleDoor } from './sample'

const tenant = 'default'

/** Its id follows from the file it comes from, so that a changed file replaces its document. */
const idOf = (file: string): string => {
  const digest = createHash('sha256').update(`sample\0${file}`).digest('hex')
  return `d${BigInt(`0x${digest}`).toString(36).padStart(24, '0').slice(-24)}`
}

/** Straight to the catalog: the sample collection needs no key of anybody's. */
export const openSampleDoor = async (redisUrl: string, lane: string): Promise<SampleDoor & { close(): Promise<void> }> => {
  const redis = connectFailFast(redisUrl)
  await whenReady(redis, 5_000)
  const catalog = new RedisCatalog(redis)
  const queue = openQueue(redis, lane, 'ingest')
  return {
    document: (file) => catalog.document(tenant, idOf(file)),
    describe: (name, description) => catalog.putCollection(tenant, name, { description }),
    add: async ({ file, title, text, digest }, collection) => {
      const documentId = idOf(file)
      await catalog.createDocument(tenant, documentId, { title, text, format: 'markdown', collection, metadata: { digest } })
      await queue.add('ingest', { documentId }, { jobId: documentId })
    },
    close: async () => {
      await queue.close()
      redis.disconnect()
    },
  }
}
