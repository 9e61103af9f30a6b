import { Queue, type ConnectionOptions } from 'bullmq'

/** The hash tag keeps all queues of a lane in one slot of a cluster. */
export const queuePrefix = (lane: string): string => `plumbline:{${lane}}`

/** Nothing of a job stays when it is over: a kept job would block its id, and the store already knows how it ended. */
const jobOptions = { removeOnComplete: true, removeOnFail: true } as const

/** The producer's side of one queue. The client stays its owner's: BullMQ does not close a client it was given. */
export const openQueue = (connection: ConnectionOptions, lane: string, name: string): Queue => {
  const queue = new Queue(name, {
    connection,
    prefix: queuePrefix(lane),
    defaultJobOptions: jobOptions,
    streams: { events: { maxLen: 100 } },
  })
  queue.on('error', () => {})
  return queue
}
