export { openBullMqJobQueue } from './bullmq-job-queue'
export { jobOptions, openQueue, queuePrefix } from './queues'
export { workerOptions } from './worker-options'
