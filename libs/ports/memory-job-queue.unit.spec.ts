import { jobQueueContract } from './job-queue.contract'
import { createMemoryJobQueue } from './memory-job-queue'

jobQueueContract('the memory queue', async () => {
  const queue = createMemoryJobQueue()
  return { queue, lose: (lane, job) => queue.remove(lane, [job]), close: () => queue.close() }
})
