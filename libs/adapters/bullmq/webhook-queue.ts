import type { Cluster, Redis } from 'ioredis'
import type { Depth } from '@plumbline/ports/job-queue'
import { depthReader, openQueue } from './queues'

const live = new Set(['waiting', 'active', 'delayed', 'prioritized'])

export const openWebhookQueue = (connection: Redis | Cluster, lane: string) => {
  const queue = openQueue(connection, lane, 'webhook')
  const depthOf = depthReader(connection)
  const add = async (deliveryId: string): Promise<void> =>
    void (await queue.add('deliver', { deliveryId }, { jobId: deliveryId }))
  return {
    add,
    /** Queues the delivery for an immediate try, even if it is waiting for a later retry. */
    resend: async (deliveryId: string): Promise<void> => {
      const state = await queue.getJobState(deliveryId)
      if (state !== 'delayed' && live.has(state)) return
      await queue.remove(deliveryId)
      await add(deliveryId)
    },
    heal: async (deliveryId: string): Promise<boolean> => {
      if (live.has(await queue.getJobState(deliveryId))) return false
      await queue.remove(deliveryId)
      await add(deliveryId)
      return true
    },
    depth: (): Promise<Depth> => depthOf(queue),
    close: (): Promise<void> => queue.close(),
  }
}
export type WebhookQueue = ReturnType<typeof openWebhookQueue>
