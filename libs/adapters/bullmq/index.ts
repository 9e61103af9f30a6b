export { openBullMqJobQueue } from './bullmq-job-queue'
export { openQueue, queuePrefix } from './queues'
export { workerOptions } from './worker-options'
